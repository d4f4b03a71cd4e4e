/**
 * Lets requests that change the same document wait for each other within this process. What other
 * processes do is caught by versions; this spares the tries that would be lost, and protects servers
 * that compare and set in two steps.
 */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(name);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
