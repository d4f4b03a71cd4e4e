/** Lets callers wait for the end of an instance without polling. */
export class EndWatch {
  readonly #watchers = new Map<string, Set<() => void>>();

  /** Resolves when the instance has ended, or after the time given. */
  wait(id: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        watchers.delete(done);
        if (watchers.size === 0) this.#watchers.delete(id);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      const watchers = this.#watchers.get(id) ?? new Set();
      watchers.add(done);
      this.#watchers.set(id, watchers);
    });
  }

  ended(id: string): void {
    for (const done of [...(this.#watchers.get(id) ?? [])]) done();
  }

  /** Lets everybody go. */
  stop(): void {
    for (const id of [...this.#watchers.keys()]) this.ended(id);
  }
}
