/**
 * How often one caller may ask: a bucket that holds a minute's worth of calls and refills steadily
 * (token bucket). Each instance of the service counts for itself.
 */

import { Refusal } from '../errors/refusal.ts';
import type { Clock } from '../ports/clock.ts';

const MINUTE_MS = 60_000;
/** Bounds what is remembered; whoever is forgotten starts with a full bucket. */
const REMEMBERED = 10_000;

type Bucket = { calls: number; atMs: number };

export class RateLimiter {
  readonly #perMinute: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  /** 0 sets no limit. */
  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** Counts a call of this caller. Refuses with `rate-limited`, carrying Retry-After in seconds. */
  count(caller: string): void {
    if (this.#perMinute === 0) return;
    const bucket = this.#refilled(caller);
    if (bucket.calls >= 1) {
      bucket.calls -= 1;
      return;
    }
    const waitMs = ((1 - bucket.calls) * MINUTE_MS) / this.#perMinute;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new Refusal('rate-limited', seconds).with({
      headers: { 'retry-after': String(seconds) },
    });
  }

  #refilled(caller: string): Bucket {
    const nowMs = this.#clock.now();
    const known = this.#buckets.get(caller);
    if (known === undefined) {
      if (this.#buckets.size >= REMEMBERED) this.#buckets.clear();
      const full = { calls: this.#perMinute, atMs: nowMs };
      this.#buckets.set(caller, full);
      return full;
    }
    const gained = ((nowMs - known.atMs) * this.#perMinute) / MINUTE_MS;
    known.calls = Math.min(this.#perMinute, known.calls + Math.max(0, gained));
    known.atMs = nowMs;
    return known;
  }
}
