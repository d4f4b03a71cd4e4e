/** Lets so many requests go at once and the others wait, so that a burst does not use up its own time limits. */

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

export class AtMost {
  #free: number;
  readonly #longestWaitMs: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number, longestWaitMs: number) {
    this.#free = limit;
    this.#longestWaitMs = longestWaitMs;
  }

  /** Rejects with `WaitedTooLong` when its turn comes too late. */
  async run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const since = performance.now();
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const waitedMs = performance.now() - since;
      if (waitedMs > this.#longestWaitMs) {
        throw new WaitedTooLong(`The request waited for ${Math.round(waitedMs)} ms.`);
      }
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
