/**
 * Opens the durable database for one process alone. A second engine on the same file would run
 * every activity twice, so the lock is taken at once and kept until the process ends.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './schema.ts';
import { numberOf } from './sql-row.ts';

/** Another process, or another engine in this one, has the database open. */
export class DatabaseInUse extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `The durable database ${path} is in use by another process. ` +
        'Stop that process, or give this one a database of its own.',
      { cause },
    );
    this.name = 'DatabaseInUse';
  }
}

/** Opens, locks and migrates. Throws `DatabaseInUse`, or refuses a database of a newer release. */
export function openDatabase(path: string, synchronous: 'NORMAL' | 'FULL'): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  // The history holds inputs and results: nobody else on the machine may read the file.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA synchronous = ${synchronous}`);
    database.exec('BEGIN EXCLUSIVE');
    migrate(database, path);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new DatabaseInUse(path, error);
    throw error;
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const row = database.prepare('PRAGMA user_version').get();
  const done = row === undefined ? 0 : numberOf(row, 'user_version');
  if (done > migrations.length) {
    throw new Error(`The durable database ${path} was written by a newer release.`);
  }
  for (const migration of migrations.slice(done)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/** SQLITE_BUSY and its extended codes. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  return typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
}
