/**
 * The host's own SQLite file in the data directory: it remembers timers, and holding it open keeps a
 * second host out of the directory. The system lets go of it even when this process is killed.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from './message-of.ts';
import { StartError } from './start-error.ts';
import type { TimerStates } from './timer/timer-state.ts';

export type HostDatabase = {
  readonly timers: TimerStates;
  close(): void;
};

/** Throws a StartError when another process holds the directory or it cannot be written. */
export function openHostDatabase(directory: string): HostDatabase {
  const database = openExclusively(directory);
  database.exec(
    `CREATE TABLE IF NOT EXISTS timers (
       name TEXT PRIMARY KEY, schedule TEXT NOT NULL,
       last_ms INTEGER, next_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL
     ) WITHOUT ROWID, STRICT`,
  );
  return { timers: timerStates(database), close: () => database.close() };
}

function openExclusively(directory: string): DatabaseSync {
  const path = join(directory, 'host.db');
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(directory, { recursive: true });
    database = new DatabaseSync(path);
    // In this mode the lock taken by the first transaction is kept until the file is closed.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
    return database;
  } catch (cause) {
    database?.close();
    const problem = messageOf(cause);
    const reason = /locked|busy/i.test(problem) ? 'another instance is using it' : problem;
    throw new StartError(`The data directory ${directory} cannot be used: ${reason}.`, { cause });
  }
}

function timerStates(database: DatabaseSync): TimerStates {
  return {
    load(functionName) {
      const row = database
        .prepare('SELECT schedule, last_ms, next_ms, updated_ms FROM timers WHERE name = ?')
        .get(functionName);
      if (row === undefined) return undefined;
      return {
        schedule: String(row['schedule']),
        lastMs: row['last_ms'] === null ? undefined : Number(row['last_ms']),
        nextMs: Number(row['next_ms']),
        updatedMs: Number(row['updated_ms']),
      };
    },
    save(functionName, { schedule, lastMs, nextMs, updatedMs }) {
      // A run that outlives the host is not remembered; it counts as not done.
      if (!database.isOpen) return;
      database
        .prepare('INSERT OR REPLACE INTO timers VALUES (?, ?, ?, ?, ?)')
        .run(functionName, schedule, lastMs ?? null, nextMs, updatedMs);
    },
  };
}
