/** The registry of fins in the store, changed by one instance at a time. */

import type { Fins } from '../../core/fins/fin.ts';
import type { FinId } from '../../core/fins/ids.ts';
import { applyEvent, type FinEvent } from '../../core/fins/transition.ts';
import type { FinStore } from '../../core/ports/fin-store.ts';
import type { Log } from '../../core/ports/log.ts';

export class FinRegistry {
  readonly #store: FinStore;
  readonly #log: Log;
  #known: Fins = [];
  #notes: Promise<unknown> = Promise.resolve();

  constructor(store: FinStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** As last read or written here. */
  get known(): Fins {
    return this.#known;
  }

  async read(): Promise<Fins> {
    const { fins } = await this.#store.read();
    this.#known = fins;
    return fins;
  }

  /** Decides on the newest registry, again if it changed meanwhile; the same registry is not written. */
  async change<Answer>(decide: (fins: Fins) => readonly [Fins, Answer]): Promise<Answer> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { fins, revision } = await this.#store.read();
      const [changed, answer] = decide(fins);
      if (changed === fins || (await this.#store.write(changed, revision))) {
        this.#known = changed;
        return answer;
      }
    }
    throw new Error('The registry of fins is changed too often by others.');
  }

  /** Keeps a change of state in the background; nearly always there is none, and nothing is written. */
  note(id: FinId, event: FinEvent): void {
    if (applyEvent(this.#known, id, event) === this.#known) return;
    this.#notes = this.#notes
      .then(() => this.change((fins) => [applyEvent(fins, id, event), undefined]))
      .then(() => this.#log.info('fin.state-changed', { fin: id, cause: event }))
      .catch((error: unknown) => this.#log.warning('fin.state-not-kept', { fin: id, error }));
  }

  /** Resolves when all that was noted is kept, or could not be. */
  async settled(): Promise<void> {
    await this.#notes;
  }
}

const MOST_TRIES = 50;
