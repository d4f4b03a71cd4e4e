/** Keeps playbooks in the memory of this process. */

import type { PlaybookId } from '../../../core/cacao/ids.ts';
import { done, type Result, refused } from '../../../core/errors/result.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { PlaybookMeta, PlaybookStore } from '../../../core/ports/playbook-store.ts';
import { playbookMeta } from '../playbook-meta.ts';
import { frozen } from './frozen.ts';
import type { MemoryDatabase, PlaybookRow } from './memory-database.ts';

export class MemoryPlaybookStore implements PlaybookStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  get(id: PlaybookId): Promise<JsonObject | undefined> {
    return this.#database.request(({ playbooks }) => playbooks.get(id)?.document);
  }

  add(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-exists'>> {
    return this.#database.request(({ playbooks }) => {
      if (playbooks.has(id)) return refused('playbook-exists');
      playbooks.set(id, rowOf(id, document));
      return done;
    });
  }

  replace(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-missing'>> {
    return this.#database.request(({ playbooks }) => {
      if (!playbooks.has(id)) return refused('playbook-missing');
      playbooks.set(id, rowOf(id, document));
      return done;
    });
  }

  remove(id: PlaybookId): Promise<Result<void, 'playbook-missing'>> {
    return this.#database.request(({ playbooks }) =>
      playbooks.delete(id) ? done : refused('playbook-missing'),
    );
  }

  list(): Promise<readonly JsonObject[]> {
    return this.#database.request(({ playbooks }) =>
      [...playbooks.values()].map(({ document }) => document),
    );
  }

  listMeta(): Promise<readonly PlaybookMeta[]> {
    return this.#database.request(({ playbooks }) =>
      [...playbooks.values()].map(({ meta }) => meta),
    );
  }
}

function rowOf(id: PlaybookId, document: JsonObject): PlaybookRow {
  const kept = frozen(document);
  return { document: kept, meta: frozen(playbookMeta(id, kept)) };
}
