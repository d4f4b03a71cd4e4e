/**
 * One armed timeout for the earliest durable timer. It is re-armed at least once a minute, so a
 * clock that was set or a machine that slept costs at most that, and the longest delay a
 * JavaScript timer can hold is never reached.
 */

const longestWaitMs = 60_000;

export class TimerClock {
  readonly #now: () => number;
  readonly #fire: () => number | undefined;
  #timeout: NodeJS.Timeout | undefined;
  #armedFor = Number.POSITIVE_INFINITY;

  /** `fire` delivers what is due and returns when the next timer is, if there is one. */
  constructor(now: () => number, fire: () => number | undefined) {
    this.#now = now;
    this.#fire = fire;
  }

  /** A timer for this time was stored. */
  consider(fireAt: number): void {
    if (fireAt < this.#armedFor) this.#arm(fireAt);
  }

  /** Delivers what is due now and arms for the next. */
  check(): void {
    this.stop();
    const next = this.#fire();
    if (next !== undefined) this.#arm(next);
  }

  stop(): void {
    clearTimeout(this.#timeout);
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(fireAt: number): void {
    clearTimeout(this.#timeout);
    this.#armedFor = fireAt;
    const waitMs = Math.min(Math.max(fireAt - this.#now(), 0), longestWaitMs);
    this.#timeout = setTimeout(() => this.check(), waitMs);
  }
}
