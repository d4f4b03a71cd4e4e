/** Texts that sort by the time they were made, for the order of creation. */

import { randomBytes } from 'node:crypto';

const MICROSECONDS = 1_000;
const DIGITS = 17;

/**
 * No two stamps are the same. Those of different processes sort as their clocks do, which decides between
 * documents that came into being at almost the same moment only.
 */
export class Stamps {
  readonly #own = randomBytes(4).toString('hex');
  #last = 0;

  /** Sorts behind `other` whoever made that. */
  next(other?: string): string {
    const after = Math.max(this.#last, other === undefined ? 0 : timeOf(other));
    this.#last = Math.max(Date.now() * MICROSECONDS, after + 1);
    return `${String(this.#last).padStart(DIGITS, '0')}${this.#own}`;
  }
}

/** How long ago a stamp was made, in milliseconds. */
export function stampAgeMs(stamp: string, nowMs = Date.now()): number {
  return nowMs - timeOf(stamp) / MICROSECONDS;
}

/** The order of runs: by start, ties by creation. */
export function startOrder(startedMs: number, stamp: string): string {
  return `${String(Math.trunc(startedMs)).padStart(DIGITS, '0')}-${stamp}`;
}

export function stampOf(order: string): string {
  return order.slice(DIGITS + 1);
}

function timeOf(stamp: string): number {
  return Number(stamp.slice(0, DIGITS));
}
