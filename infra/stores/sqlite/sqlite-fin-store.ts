/** Keeps the registry of fins in SQLite, in the only row of its table. */

import type { Fins } from '../../../core/fins/fin.ts';
import type { FinSnapshot, FinStore } from '../../../core/ports/fin-store.ts';
import { integerOf, jsonOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export class SqliteFinStore implements FinStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  read(): Promise<FinSnapshot> {
    return this.#database.request(() => {
      const row = this.#database.get('SELECT revision, fins FROM fin_registry WHERE id = 1');
      if (row === undefined) return { revision: 0, fins: [] };
      return { revision: integerOf(row, 'revision'), fins: jsonOf<Fins>(row, 'fins') };
    });
  }

  write(fins: Fins, revision: number): Promise<boolean> {
    return this.#database.request(() => {
      const text = JSON.stringify(fins);
      const changed =
        revision === 0
          ? this.#database.run(
              'INSERT INTO fin_registry (id, revision, fins) VALUES (1, 1, ?) ON CONFLICT DO NOTHING',
              text,
            )
          : this.#database.run(
              'UPDATE fin_registry SET revision = revision + 1, fins = ? WHERE id = 1 AND revision = ?',
              text,
              revision,
            );
      return changed === 1;
    });
  }
}
