/**
 * External events of a replay. The newest waiter gets an event; without a waiter events queue up,
 * in order of arrival per name. Names differ by more than letter case.
 */
import type { Step } from './step.ts';
import { finishedStep, pendingStep, settle } from './step.ts';

export class EventWaiters {
  readonly #waiters = new Map<string, Step[]>();
  readonly #queued = new Map<string, number>();

  raise(eventName: string): void {
    const name = eventName.toLowerCase();
    const waiter = this.#waiters.get(name)?.pop();
    if (waiter !== undefined) settle(waiter);
    else this.#queued.set(name, (this.#queued.get(name) ?? 0) + 1);
  }

  await(eventName: string): Step {
    const name = eventName.toLowerCase();
    const queued = this.#queued.get(name) ?? 0;
    if (queued > 0) {
      this.#queued.set(name, queued - 1);
      return finishedStep();
    }
    const waiter = pendingStep();
    const waiters = this.#waiters.get(name);
    if (waiters === undefined) this.#waiters.set(name, [waiter]);
    else waiters.push(waiter);
    return waiter;
  }
}
