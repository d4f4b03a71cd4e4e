/** What must be undone when a host stops, or when its start fails half-way: last in, first out. */

import type { Log } from '../../core/ports/log.ts';
import { messageOf } from './message-of.ts';

/** `remainingMs` says how long the step may wait for work in progress. */
export type TakeDownStep = (remainingMs: number) => unknown;

export class TakeDown {
  readonly #steps: TakeDownStep[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  push(step: TakeDownStep): void {
    this.#steps.push(step);
  }

  /** Runs every step once, in reverse order, within one deadline. Never rejects. */
  async run(deadlineMs: number): Promise<void> {
    const endMs = Date.now() + deadlineMs;
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step(Math.max(0, endMs - Date.now()));
      } catch (error) {
        this.#log.error('host.stop_failed', { message: messageOf(error) });
      }
    }
  }
}

/** Waits for `work`, but no longer than `deadlineMs`. */
export async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, deadlineMs);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
