/** Makes a runner for every timer function of an app. */

import type { Log } from '../../../core/ports/log.ts';
import type { Environment } from '../settings/environment.ts';
import type { ExtraInputs } from '../worker/extra-inputs.ts';
import type { Worker } from '../worker/worker.ts';
import { systemAlarmClock } from './alarm.ts';
import { readTimerFunctions } from './timer-functions.ts';
import { TimerRunner } from './timer-runner.ts';
import type { TimerStates } from './timer-state.ts';

export type TimersOptions = {
  readonly worker: Worker;
  readonly extraInputs: ExtraInputs;
  readonly environment: Environment;
  readonly states: TimerStates;
  readonly log: Log;
};

/** Throws a StartError that names the function whose schedule cannot be used. Starts none of them. */
export function createTimers(options: TimersOptions): readonly TimerRunner[] {
  const { worker, extraInputs, environment, states, log } = options;
  return readTimerFunctions(worker.functions, environment).map(({ fn, ...timer }) => {
    const run = async (_name: string, input: object): Promise<void> => {
      const trigger = { name: fn.trigger.name, data: { json: JSON.stringify(input) } };
      await worker.invoker.invoke(fn, { inputData: [trigger, ...extraInputs(fn)] });
    };
    return new TimerRunner(timer, { clock: systemAlarmClock, states, log, run });
  });
}
