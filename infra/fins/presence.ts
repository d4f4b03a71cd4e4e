/** Keeps the connection while there is work for it, and for a while after; always, if it is to stand. */

import type { MqttLink } from './mqtt-link.ts';

export class Presence {
  readonly #link: MqttLink;
  /** Undefined for a connection that always stands. */
  readonly #idleMs: number | undefined;
  #users = 0;
  #ended = false;
  #rest: NodeJS.Timeout | undefined;

  constructor(link: MqttLink, idleMs: number | undefined) {
    this.#link = link;
    this.#idleMs = idleMs;
    if (idleMs === undefined) link.open();
  }

  async during<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.#users += 1;
    clearTimeout(this.#rest);
    if (!this.#ended) this.#link.open();
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0 && this.#idleMs !== undefined && !this.#ended) {
        this.#rest = setTimeout(() => void this.#link.close(), this.#idleMs);
      }
    }
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#rest);
  }
}
