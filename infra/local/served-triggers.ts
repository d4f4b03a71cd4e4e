/** Which functions of an app this host can serve, and which parts of the host they need. */

import type { Log } from '../../core/ports/log.ts';
import type { RegisteredFunction } from './worker/function-registry.ts';

const servedTriggers = ['httptrigger', 'timertrigger', 'orchestrationtrigger', 'activitytrigger'];
const durableInputs = ['durableclient', 'orchestrationclient'];

export function needsDurableEngine(functions: readonly RegisteredFunction[]): boolean {
  return functions.some(
    ({ triggerType, extraInputs }) =>
      ['orchestrationtrigger', 'activitytrigger'].includes(triggerType) ||
      extraInputs.some(({ type }) => durableInputs.includes(type)),
  );
}

/** The inputs through which a function gets a durable client. */
export function durableClientInputs({ extraInputs }: RegisteredFunction): readonly string[] {
  return extraInputs.filter(({ type }) => durableInputs.includes(type)).map(({ name }) => name);
}

/** Everything else is left out, with one warning each: an app may be made for a larger host. */
export function warnAboutUnserved(functions: readonly RegisteredFunction[], log: Log): void {
  for (const { name, triggerType, extraInputs } of functions) {
    if (!servedTriggers.includes(triggerType)) {
      log.warning('function.unserved', { function: name, trigger: triggerType });
    }
    for (const { type } of extraInputs.filter((input) => !durableInputs.includes(input.type))) {
      log.warning('input.unserved', { function: name, input: type });
    }
  }
}
