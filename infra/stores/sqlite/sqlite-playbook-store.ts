/** Keeps playbooks in SQLite; the list view has a column of its own. */

import type { PlaybookId } from '../../../core/cacao/ids.ts';
import { done, type Result, refused } from '../../../core/errors/result.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { PlaybookMeta, PlaybookStore } from '../../../core/ports/playbook-store.ts';
import { playbookMeta } from '../playbook-meta.ts';
import { jsonOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export class SqlitePlaybookStore implements PlaybookStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get(id: PlaybookId): Promise<JsonObject | undefined> {
    return this.#database.request(() => {
      const row = this.#database.get('SELECT document FROM playbooks WHERE id = ?', id);
      return row && jsonOf<JsonObject>(row, 'document');
    });
  }

  add(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-exists'>> {
    return this.#database.request(() => {
      const added = this.#database.run(
        'INSERT INTO playbooks (id, meta, document) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        id,
        JSON.stringify(playbookMeta(id, document)),
        JSON.stringify(document),
      );
      return added === 1 ? done : refused('playbook-exists');
    });
  }

  replace(id: PlaybookId, document: JsonObject): Promise<Result<void, 'playbook-missing'>> {
    return this.#database.request(() => {
      const replaced = this.#database.run(
        'UPDATE playbooks SET meta = ?, document = ? WHERE id = ?',
        JSON.stringify(playbookMeta(id, document)),
        JSON.stringify(document),
        id,
      );
      return replaced === 1 ? done : refused('playbook-missing');
    });
  }

  remove(id: PlaybookId): Promise<Result<void, 'playbook-missing'>> {
    return this.#database.request(() => {
      const removed = this.#database.run('DELETE FROM playbooks WHERE id = ?', id);
      return removed === 1 ? done : refused('playbook-missing');
    });
  }

  list(): Promise<readonly JsonObject[]> {
    return this.#database.request(() =>
      this.#database
        .all('SELECT document FROM playbooks ORDER BY position')
        .map((row) => jsonOf<JsonObject>(row, 'document')),
    );
  }

  listMeta(): Promise<readonly PlaybookMeta[]> {
    return this.#database.request(() =>
      this.#database
        .all('SELECT meta FROM playbooks ORDER BY position')
        .map((row) => jsonOf<PlaybookMeta>(row, 'meta')),
    );
  }
}
