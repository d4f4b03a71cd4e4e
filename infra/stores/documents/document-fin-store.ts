/** Keeps the registry of fins in one document, which is never removed, so that no revision comes again. */

import type { Fins } from '../../../core/fins/fin.ts';
import type { FinSnapshot, FinStore } from '../../../core/ports/fin-store.ts';
import type { DocumentTable } from './document-table.ts';
import { OneAtATime } from './one-at-a-time.ts';

const REGISTRY = { partition: 'fins', id: 'registry' };
const EMPTY: FinSnapshot = { revision: 0, fins: [] };

export class DocumentFinStore implements FinStore {
  readonly #table: DocumentTable;
  readonly #turns = new OneAtATime();

  constructor(table: DocumentTable) {
    this.#table = table;
  }

  async read(): Promise<FinSnapshot> {
    const found = await this.#table.find(REGISTRY.partition, REGISTRY.id);
    return found === undefined ? EMPTY : JSON.parse(found.text);
  }

  write(fins: Fins, revision: number): Promise<boolean> {
    const text = JSON.stringify({ revision: revision + 1, fins });
    return this.#turns.run(REGISTRY.id, async () => {
      const found = await this.#table.find(REGISTRY.partition, REGISTRY.id);
      const before: FinSnapshot = found === undefined ? EMPTY : JSON.parse(found.text);
      if (before.revision !== revision) return false;
      const document = { ...REGISTRY, text };
      const written =
        found === undefined
          ? await this.#table.insert(document)
          : await this.#table.replace(document, found.version);
      return written !== undefined;
    });
  }
}
