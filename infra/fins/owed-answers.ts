/**
 * Answers that somebody has to give, once. All instances of the service hear the same messages. The one
 * that acted on a message, or sent the command a result belongs to, answers at once. Every other waits a
 * moment, different for each, and answers only if nobody was heard to: the first one may have died. So no
 * fin waits in vain, whichever instance is left.
 */

import type { Answer } from '../../core/fins/message.ts';

type Give = (topic: string, type: Answer['type'], messageId: string) => void;

export class OwedAnswers {
  readonly #give: Give;
  readonly #graceMs: number;
  readonly #owed = new Map<string, NodeJS.Timeout>();
  #waiting: (() => void)[] = [];

  constructor(give: Give, graceMs: number) {
    this.#give = give;
    this.#graceMs = graceMs;
  }

  owe(topic: string, type: Answer['type'], messageId: string): void {
    if (this.#owed.has(messageId)) return;
    const give = () => {
      this.settled(messageId);
      this.#give(topic, type, messageId);
    };
    const afterMs = this.#graceMs * (1 + Math.random());
    this.#owed.set(messageId, setTimeout(give, afterMs));
  }

  /** Somebody has answered this message. */
  settled(messageId: string): void {
    clearTimeout(this.#owed.get(messageId));
    if (this.#owed.delete(messageId) && this.#owed.size === 0) this.#release();
  }

  /** Resolves when nothing is owed any more. */
  async idle(): Promise<void> {
    if (this.#owed.size === 0) return;
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  forget(): void {
    for (const timer of this.#owed.values()) clearTimeout(timer);
    this.#owed.clear();
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
