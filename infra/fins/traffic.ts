/**
 * Commands that are, or may be, with a capability although this instance waits for none of them: those of
 * other instances, seen on the shared topic, and own ones given up on. A fin carries out one command at a
 * time and acknowledges it when it begins, so they tell whether it is free. Times are of one monotonic
 * clock, handed in.
 */

import type { Work } from '../../core/fins/message.ts';

type Entry = {
  readonly messageId: string;
  readonly work: Work;
  /** The fin has begun it. */
  begun: boolean;
  /** Since when the fin has been free to begin it, as far as known. */
  freeSinceMs: number;
  /** When it is not believed in any more. */
  readonly untilMs: number;
};

export class Traffic {
  readonly #ackMs: number;
  #entries: readonly Entry[] = [];
  #lastFinishedMs = Number.NEGATIVE_INFINITY;

  constructor(ackMs: number) {
    this.#ackMs = ackMs;
  }

  /** When the fin last became free of one of these commands. */
  get lastFinishedMs(): number {
    return this.#lastFinishedMs;
  }

  add(entry: Pick<Entry, 'messageId' | 'work' | 'begun' | 'untilMs'>, freeSinceMs: number): void {
    this.#entries = [...this.#entries, { ...entry, freeSinceMs }];
  }

  has(work: Work): boolean {
    return this.#entries.some((entry) => isSame(entry.work, work));
  }

  /** Whether the message is one of these commands, which the fin has begun now. */
  begin(messageId: string): boolean {
    const entry = this.#entries.find((one) => one.messageId === messageId);
    if (entry !== undefined) entry.begun = true;
    return entry !== undefined;
  }

  refuse(messageId: string, nowMs: number): boolean {
    return this.#remove((entry) => entry.messageId === messageId, nowMs);
  }

  finish(work: Work, nowMs: number): void {
    const exact = this.#remove((entry) => isSame(entry.work, work), nowMs);
    if (!exact && work.generatedUs === undefined) {
      this.#remove((entry) => isSame({ ...entry.work, generatedUs: undefined }, work), nowMs);
    }
  }

  clear(): void {
    this.#entries = [];
  }

  /** Whether the fin is at work on one of these, or has begun none of them yet but still may. */
  busyUntil(nowMs: number): number | undefined {
    return this.#latest(nowMs, ({ begun, untilMs, freeSinceMs }) =>
      begun ? untilMs : Math.min(untilMs, freeSinceMs + this.#ackMs),
    );
  }

  /** Whether the fin is at work on one of these, as far as known. */
  workingUntil(nowMs: number): number | undefined {
    return this.#latest(nowMs, ({ begun, untilMs }) => (begun ? untilMs : nowMs));
  }

  #latest(nowMs: number, until: (entry: Entry) => number): number | undefined {
    this.#entries = this.#entries.filter(({ untilMs }) => untilMs > nowMs);
    const latest = Math.max(nowMs, ...this.#entries.map(until));
    return latest > nowMs ? latest : undefined;
  }

  #remove(isMeant: (entry: Entry) => boolean, nowMs: number): boolean {
    const meant = this.#entries.find(isMeant);
    if (meant === undefined) return false;
    this.#entries = this.#entries.filter((entry) => entry !== meant);
    this.#lastFinishedMs = nowMs;
    for (const entry of this.#entries) entry.freeSinceMs = nowMs;
    return true;
  }
}

/** Some fins echo a time in milliseconds only. */
export function isSame(one: Work, other: Work): boolean {
  return (
    one.executionId === other.executionId &&
    one.stepId === other.stepId &&
    (one.generatedUs === other.generatedUs ||
      inMilliseconds(one) === other.generatedUs ||
      one.generatedUs === inMilliseconds(other))
  );
}

export function inMilliseconds({ generatedUs }: Work): number | undefined {
  return generatedUs === undefined ? undefined : generatedUs - (generatedUs % 1_000);
}
