/** All stores in one SQLite file: the default of a service on one machine. */

import type { Stores } from '../../../core/ports/stores.ts';
import { migrations } from './migrations.ts';
import { SqliteDatabase, type SqliteOptions } from './sqlite-database.ts';
import { SqliteFinStore } from './sqlite-fin-store.ts';
import { SqliteManualQueue } from './sqlite-manual-queue.ts';
import { SqlitePlaybookStore } from './sqlite-playbook-store.ts';
import { SqliteRunJournal } from './sqlite-run-journal.ts';
import { SqliteRunStore } from './sqlite-run-store.ts';

/** Throws when the file cannot be opened or was written by a newer release. */
export function createSqliteStores(options: SqliteOptions): Stores {
  const database = new SqliteDatabase(options, migrations);
  return {
    playbooks: new SqlitePlaybookStore(database),
    runs: new SqliteRunStore(database),
    journal: new SqliteRunJournal(database),
    manual: new SqliteManualQueue(database),
    fins: new SqliteFinStore(database),
    ping: () => database.request(() => void database.get('SELECT max(version) FROM migrations')),
    close: () => database.request(() => database.close()),
  };
}
