/** Reads what timer triggers of an app ask for. */

import { messageOf } from '../message-of.ts';
import type { Environment } from '../settings/environment.ts';
import { StartError } from '../start-error.ts';
import type { RegisteredFunction } from '../worker/function-registry.ts';
import { parseNcrontab } from './ncrontab.ts';
import { nextOccurrence } from './next-occurrence.ts';
import type { TimerFunction } from './timer-runner.ts';

export type RegisteredTimer = TimerFunction & { readonly fn: RegisteredFunction };

/** `%NAME%` as schedule stands for a setting. Throws a StartError that names the function. */
export function readTimerFunctions(
  functions: readonly RegisteredFunction[],
  environment: Environment,
): readonly RegisteredTimer[] {
  return functions
    .filter(({ triggerType }) => triggerType === 'timertrigger')
    .map((fn) => {
      const { name } = fn;
      const { options } = fn.trigger;
      try {
        const scheduleText = resolveSetting(options['schedule'], environment);
        const schedule = parseNcrontab(scheduleText);
        if (nextOccurrence(schedule, 0) === undefined) throw new Error('it is never due.');
        return {
          fn,
          name,
          scheduleText,
          schedule,
          runOnStartup: options['runOnStartup'] === true,
          useMonitor: options['useMonitor'] !== false,
        };
      } catch (cause) {
        throw new StartError(
          `The schedule of function "${name}" is not usable: ${messageOf(cause)}`,
          {
            cause,
          },
        );
      }
    });
}

function resolveSetting(schedule: unknown, environment: Environment): string {
  if (typeof schedule !== 'string') throw new Error('it is missing.');
  const name = /^%([^%]+)%$/.exec(schedule.trim())?.[1];
  if (name === undefined) return schedule;
  const value = environment[name];
  if (value === undefined) throw new Error(`there is no setting ${name}.`);
  return value;
}
