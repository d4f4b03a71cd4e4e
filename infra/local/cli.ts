/** The embedded host as a program: starts in the current directory, stops on a signal. */

import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Log } from '../../core/ports/log.ts';
import { createHostLog } from './host-log.ts';
import { messageOf } from './message-of.ts';
import { prepareEnvironment } from './settings/environment.ts';
import { readHostSettings } from './settings/host-settings.ts';
import { AppFailed } from './start-error.ts';
import { type RunningHost, startHost } from './start-host.ts';

/** Sets the exit code 1, with one line that says why, when the host cannot start. */
export async function runCli(): Promise<void> {
  try {
    const appDirectory = process.cwd();
    const { environment, badLines } = prepareEnvironment(appDirectory);
    const settings = readHostSettings(environment, appDirectory);
    const log = createHostLog(settings.logLevel, (line) => process.stderr.write(line));
    for (const line of badLines) log.warning('settings.line_ignored', { file: '.env', line });
    enableCompileCache(join(settings.dataDirectory, 'compile-cache'));

    const host = await startHost({ appDirectory, settings, environment, log });
    stopOnSignal(host, log);
    process.stdout.write(`Theobroma listens on ${host.url}\n`);
    setImmediate(flushCompileCache);
  } catch (error) {
    process.stderr.write(`Theobroma cannot start. ${messageOf(error)}\n`);
    const bug = bugBehind(error);
    if (bug !== undefined) process.stderr.write(`${bug.stack}\n`);
    process.exit(1);
  }
}

// A stack helps with errors nobody meant to be read. Those that are, such as a refused configuration,
// have a name of their own.
function bugBehind(error: unknown): Error | undefined {
  const suspect = error instanceof AppFailed ? error.cause : error;
  return suspect instanceof Error && isBuiltIn(suspect) ? suspect : undefined;
}

function isBuiltIn(error: Error): boolean {
  return [Error, TypeError, ReferenceError, SyntaxError, RangeError].some(
    (type) => error.constructor === type,
  );
}

function stopOnSignal(host: RunningHost, log: Log): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) {
      // Asked twice: whoever asks does not want to wait.
      process.exit(1);
    }
    stopping = true;
    log.info('host.stopping', { signal });
    void host.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
