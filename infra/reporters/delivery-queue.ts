/**
 * Stands between an execution and somebody who is told about it.
 *
 * Q1  `put` returns at once and never throws, however slow or broken the other side is.
 * Q2  Items are delivered one after the other, in the order they were put.
 * Q3  Memory is bounded: beyond the capacity the oldest items are dropped, and the log says how many.
 */

import type { Log, LogFields } from '../../core/ports/log.ts';

export type DeliveryQueueOptions<Item> = {
  /** Whom the log speaks of. */
  readonly name: string;
  readonly log: Log;
  /** Rejects when the item cannot be delivered; it is then given up. */
  readonly deliver: (item: Item, signal: AbortSignal) => Promise<void>;
  /** What the log says about an item. */
  readonly describe: (item: Item) => LogFields;
  /** Default 1,000. */
  readonly capacity?: number;
};

/** For a delivery that was told to stop. */
const LAST_WORD_MS = 500;

export class DeliveryQueue<Item> {
  readonly #options: DeliveryQueueOptions<Item>;
  readonly #capacity: number;
  readonly #waiting: Item[] = [];
  readonly #ending = new AbortController();
  #working: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: DeliveryQueueOptions<Item>) {
    this.#options = options;
    this.#capacity = options.capacity ?? 1_000;
  }

  put(item: Item): void {
    if (this.#ending.signal.aborted) return;
    if (this.#waiting.length >= this.#capacity) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
    this.#waiting.push(item);
    this.#working ??= this.#work();
  }

  /** Waits so long for what is still to be delivered, then gives it up. */
  async close(patienceMs: number): Promise<void> {
    const { name, log } = this.#options;
    await this.#idle(patienceMs);
    const undelivered = this.#waiting.length;
    this.#ending.abort(new Error('The service stops.'));
    await this.#idle(LAST_WORD_MS);
    if (undelivered > 0)
      log.warning('reporter.events-undelivered', { reporter: name, undelivered });
  }

  async #idle(atMostMs: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, atMostMs);
    await Promise.race([this.#working, late.promise]);
    clearTimeout(timer);
  }

  async #work(): Promise<void> {
    // Not in the turn of whoever put the item.
    await Promise.resolve();
    const { signal } = this.#ending;
    for (let item = this.#next(); item !== undefined; item = this.#next()) {
      await this.#deliver(item, signal);
      if (signal.aborted) break;
    }
    this.#working = undefined;
  }

  #next(): Item | undefined {
    const { name, log } = this.#options;
    if (this.#dropped > 0) {
      log.warning('reporter.events-dropped', { reporter: name, dropped: this.#dropped });
      this.#dropped = 0;
    }
    return this.#waiting.shift();
  }

  async #deliver(item: Item, signal: AbortSignal): Promise<void> {
    const { name, log, deliver, describe } = this.#options;
    try {
      await deliver(item, signal);
    } catch (error) {
      log.warning('reporter.delivery-failed', { reporter: name, ...describe(item), error });
    }
  }
}
