/**
 * The schema of the store, as the steps that lead to it. A step that was released is never changed; a
 * change of the schema is a new step at the end.
 */

import type { DatabaseSync } from 'node:sqlite';
import { integerOf } from './sql-row.ts';

export type Migration = { readonly name: string; readonly sql: string };

export const migrations: readonly Migration[] = [
  {
    name: 'playbooks, runs and what belongs to them',
    sql: `
      CREATE TABLE playbooks (
        position INTEGER PRIMARY KEY,
        id       TEXT NOT NULL UNIQUE,
        meta     TEXT NOT NULL,
        document TEXT NOT NULL
      ) STRICT;

      CREATE TABLE runs (
        id              INTEGER PRIMARY KEY,
        execution_id    TEXT NOT NULL UNIQUE,
        idempotency_key TEXT UNIQUE,
        playbook_id     TEXT NOT NULL,
        started_ms      REAL NOT NULL,
        finished        INTEGER NOT NULL,
        header          TEXT NOT NULL
      ) STRICT;
      CREATE INDEX runs_by_start ON runs (started_ms);
      CREATE INDEX runs_by_end ON runs (finished, started_ms);
      CREATE INDEX runs_by_playbook ON runs (playbook_id, started_ms);

      CREATE TABLE snapshots (
        run      INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
        document TEXT NOT NULL
      ) STRICT;

      CREATE TABLE walks (
        run      INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        walk     TEXT NOT NULL,
        turn     INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        child    TEXT,
        record   TEXT NOT NULL,
        PRIMARY KEY (run, walk)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX walks_by_child ON walks (child) WHERE child IS NOT NULL;

      CREATE TABLE variables (
        run   INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        walk  TEXT NOT NULL,
        name  TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (run, walk, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE steps (
        position   INTEGER PRIMARY KEY,
        run        INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
        invocation TEXT NOT NULL,
        step       TEXT NOT NULL,
        n          INTEGER NOT NULL,
        ongoing    INTEGER NOT NULL,
        record     TEXT NOT NULL,
        UNIQUE (run, invocation),
        UNIQUE (run, step, n)
      ) STRICT;

      CREATE TABLE manual_commands (
        position  INTEGER PRIMARY KEY,
        run       INTEGER NOT NULL,
        walk      TEXT NOT NULL,
        step      TEXT NOT NULL,
        turn      INTEGER NOT NULL,
        opened_ms REAL NOT NULL,
        state     TEXT NOT NULL,
        command   TEXT NOT NULL,
        UNIQUE (run, walk),
        FOREIGN KEY (run, walk) REFERENCES walks (run, walk) ON DELETE CASCADE
      ) STRICT;
      CREATE INDEX manual_commands_by_state ON manual_commands (state, opened_ms);
    `,
  },
  {
    name: 'the registry of fins',
    sql: `
      CREATE TABLE fin_registry (
        id       INTEGER PRIMARY KEY CHECK (id = 1),
        revision INTEGER NOT NULL,
        fins     TEXT NOT NULL
      ) STRICT;
    `,
  },
];

/** Brings the schema to the last step. Refuses a database a newer release has migrated further. */
export function migrate(connection: DatabaseSync, steps: readonly Migration[], path: string): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(`CREATE TABLE IF NOT EXISTS migrations (
      version INTEGER PRIMARY KEY,
      name    TEXT NOT NULL,
      applied TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT`);
    const reached = schemaVersion(connection);
    if (reached > steps.length) {
      throw new Error(
        `The database ${path} has schema version ${reached}, written by a newer release; ` +
          `this one knows versions up to ${steps.length}. Start the newer release, or another database.`,
      );
    }
    const note = connection.prepare('INSERT INTO migrations (version, name) VALUES (?, ?)');
    for (const [index, { name, sql }] of steps.entries()) {
      if (index < reached) continue;
      connection.exec(sql);
      note.run(index + 1, name);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

function schemaVersion(connection: DatabaseSync): number {
  const row = connection
    .prepare('SELECT coalesce(max(version), 0) AS version FROM migrations')
    .get();
  return row === undefined ? 0 : integerOf(row, 'version');
}
