/** Answers this instance waits for, by a key that says what would answer it. */

export class ExpectedAnswers {
  readonly #open = new Map<string, (key: string, detail: string) => void>();

  /** The first of the keys that is heard, with its detail; undefined when none is in time. */
  expect(
    keys: readonly string[],
    timeoutMs: number,
  ): Promise<{ readonly key: string; readonly detail: string } | undefined> {
    return new Promise((resolve) => {
      const end = (answer?: { readonly key: string; readonly detail: string }) => {
        clearTimeout(timer);
        for (const key of keys) this.#open.delete(key);
        resolve(answer);
      };
      const timer = setTimeout(end, timeoutMs);
      for (const key of keys) this.#open.set(key, (heard, detail) => end({ key: heard, detail }));
    });
  }

  heard(key: string, detail = ''): void {
    this.#open.get(key)?.(key, detail);
  }
}

/** The key of an ack or nack of the message on the topic. */
export function answerKey(topic: string, type: 'ack' | 'nack', messageId: string): string {
  return [type, messageId, topic].join('\n');
}

/** The key of a status of the capability on its fin's topic. */
export function statusKey(topic: string, capabilityId: string): string {
  return ['status', capabilityId, topic].join('\n');
}
