/** Remembers the last texts it was given, and forgets the oldest ones. */

export class Recent {
  readonly #limit: number;
  readonly #texts = new Set<string>();

  constructor(limit = 4_096) {
    this.#limit = limit;
  }

  add(text: string): void {
    this.#texts.delete(text);
    this.#texts.add(text);
    if (this.#texts.size <= this.#limit) return;
    const [oldest] = this.#texts;
    if (oldest !== undefined) this.#texts.delete(oldest);
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }
}
