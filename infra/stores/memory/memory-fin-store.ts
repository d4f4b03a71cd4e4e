/** Keeps the registry of fins in the memory of this process. */

import type { Fins } from '../../../core/fins/fin.ts';
import type { FinSnapshot, FinStore } from '../../../core/ports/fin-store.ts';
import { frozen } from './frozen.ts';
import type { MemoryDatabase } from './memory-database.ts';

export class MemoryFinStore implements FinStore {
  readonly #database: MemoryDatabase;
  #snapshot: FinSnapshot = frozen({ revision: 0, fins: [] });

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  read(): Promise<FinSnapshot> {
    return this.#database.request(() => this.#snapshot);
  }

  write(fins: Fins, revision: number): Promise<boolean> {
    return this.#database.request(() => {
      if (revision !== this.#snapshot.revision) return false;
      this.#snapshot = frozen({ revision: revision + 1, fins });
      return true;
    });
  }
}
