import type { AlarmClock } from '../../../../infra/local/timer/alarm.ts';

type Waiting = { readonly atMs: number; readonly callback: () => void };

/** A clock that tests turn by hand; callbacks that are due run while it is turned. */
export class HandClock implements AlarmClock {
  #nowMs: number;
  #waiting: Waiting[] = [];
  readonly delays: number[] = [];

  constructor(start: string) {
    this.#nowMs = Date.parse(start);
  }

  now = (): number => this.#nowMs;

  schedule = (callback: () => void, delayMs: number): (() => void) => {
    const entry = { atMs: this.#nowMs + delayMs, callback };
    this.delays.push(delayMs);
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  };

  get pending(): number {
    return this.#waiting.length;
  }

  /** Also lets promises settle, as real time would. */
  async turnTo(time: string | number): Promise<void> {
    const end = typeof time === 'number' ? time : Date.parse(time);
    await settled();
    for (;;) {
      const [due] = this.#waiting.toSorted((a, b) => a.atMs - b.atMs);
      if (due === undefined || due.atMs > end) break;
      this.#waiting = this.#waiting.filter((other) => other !== due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.callback();
      await settled();
    }
    this.#nowMs = end;
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
