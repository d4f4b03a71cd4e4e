/** A queue for something only one may use at a time; whoever waits may give up. */

export class Turns {
  #taken = false;
  readonly #waiting: ((taken: boolean) => void)[] = [];

  /** Resolves to true when it is this caller's turn, which it must end by `leave`; false when aborted. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const answer = (taken: boolean) => {
        signal.removeEventListener('abort', giveUp);
        resolve(taken);
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(answer), 1);
        answer(false);
      };
      this.#waiting.push(answer);
      signal.addEventListener('abort', giveUp);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next(true);
  }
}
