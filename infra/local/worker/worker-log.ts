/** Takes the log lines of the app and its library through the log hooks to the host's log. */

import type { Log } from '../../../core/ports/log.ts';
import type { FunctionLogLevel, LogCategory } from './core-types.ts';
import type { Hooks } from './hooks.ts';

/** Where a line comes from: the app as a whole, or one invocation. */
export type LogScope = {
  readonly hookData: object;
  readonly appHookData: object;
  readonly invocationContext?: unknown;
  readonly functionName?: string;
  readonly invocationId?: string;
};

export interface WorkerLog {
  write(scope: LogScope, level: FunctionLogLevel, category: LogCategory, message: string): void;
}

// `none` switches a line off.
const productLevels = {
  trace: 'trace',
  debug: 'debug',
  information: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'fatal',
  none: undefined,
} as const;

export function createWorkerLog(hooks: Hooks, log: Log): WorkerLog {
  return {
    write(scope, level, category, message) {
      const { functionName, invocationId, ...shared } = scope;
      // Hooks may rewrite the level and the message.
      const line = { ...shared, level, category, message };
      const failures = hooks.runLog(line);
      const productLevel = productLevels[line.level];
      if (productLevel !== undefined) {
        const origin = { category, function: functionName, invocation: invocationId };
        log[productLevel]('function.logged', { ...origin, message: line.message });
      }
      for (const failure of failures) log.error('hook.log_failed', { message: failure });
    },
  };
}
