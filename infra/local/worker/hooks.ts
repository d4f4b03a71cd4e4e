/**
 * The hooks an app may hang into its own life and invocations.
 *
 * H1  Hooks of one kind run one after another, awaited, in the order they were registered.
 * H2  All hooks of an invocation share one mutable context object; what one writes the next one sees.
 * H3  Log hooks are called synchronously. A log line written by a log hook meets no hook.
 */

import { messageOf } from '../message-of.ts';
import { Disposable } from './core-types.ts';

export const hookNames = [
  'appStart',
  'appTerminate',
  'preInvocation',
  'postInvocation',
  'log',
] as const;
export type HookName = (typeof hookNames)[number];

export type HookCallback = (context: object) => unknown;

/** The library asks for this class and this mark when a hook kind is newer than its host. */
export class UnknownHookError extends RangeError {
  override readonly name = 'RangeError';
  readonly isAzureFunctionsSystemError = true;
}

export class Hooks {
  readonly #callbacks: Readonly<Record<HookName, HookCallback[]>> = {
    appStart: [],
    appTerminate: [],
    preInvocation: [],
    postInvocation: [],
    log: [],
  };
  #insideLogHook = false;

  register(name: string, callback: HookCallback): Disposable {
    const known = hookNames.find((candidate) => candidate === name);
    if (known === undefined) throw new UnknownHookError(`Unrecognized hook "${name}"`);
    const callbacks = this.#callbacks[known];
    callbacks.push(callback);
    return new Disposable(() => {
      const index = callbacks.indexOf(callback);
      if (index >= 0) callbacks.splice(index, 1);
    });
  }

  /** Rejects with what the first failing hook threw; later hooks then do not run. */
  async run(name: Exclude<HookName, 'log'>, context: object): Promise<void> {
    // Copied: a hook may register or take back hooks while it runs.
    for (const callback of [...this.#callbacks[name]]) await callback(context);
  }

  /** Answers the messages of hooks that threw; a log line is never lost because of its hook. */
  runLog(context: object): readonly string[] {
    if (this.#insideLogHook || this.#callbacks.log.length === 0) return [];
    const failures: string[] = [];
    this.#insideLogHook = true;
    try {
      for (const callback of [...this.#callbacks.log]) {
        try {
          callback(context);
        } catch (thrown) {
          failures.push(messageOf(thrown));
        }
      }
    } finally {
      this.#insideLogHook = false;
    }
    return failures;
  }
}
