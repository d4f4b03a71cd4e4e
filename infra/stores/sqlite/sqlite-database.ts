/**
 * One SQLite file and its prepared statements. Requests are asynchronous by their ports only: each runs
 * without interruption, so a transaction never sees another request of this process half done.
 *
 * D1  A committed transaction survives the death of the process; with `synchronous` full that of the
 *     machine, too.
 * D2  A failing transaction leaves nothing behind.
 * D3  What makes the file unusable is refused with `store-away`; any other failure is a defect.
 */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { storeAway } from '../store-away.ts';
import { type Migration, migrate } from './migrations.ts';
import type { SqlRow } from './sql-row.ts';

export type SqliteOptions = {
  /** A file, made when missing together with its directory; `:memory:` for tests. */
  readonly path: string;
  /** `normal` may lose the last turns when the machine loses power, but never tears one. */
  readonly synchronous: 'normal' | 'full';
  /** How long a request waits for another process that is writing. */
  readonly busyTimeoutMs?: number;
};

export class SqliteDatabase {
  readonly #path: string;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Throws when the file cannot be opened or a newer release has written it. */
  constructor(options: SqliteOptions, migrations: readonly Migration[]) {
    this.#path = options.path;
    this.#connection = connect(options);
    try {
      migrate(this.#connection, migrations, options.path);
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  /** One or several reads, or a single change. */
  async request<Answer>(work: () => Answer): Promise<Answer> {
    try {
      return work();
    } catch (error) {
      throw explained(error, this.#path);
    }
  }

  /** Reads and changes that belong together: all or nothing. */
  transaction<Answer>(work: () => Answer): Promise<Answer> {
    return this.request(() => {
      this.run('BEGIN IMMEDIATE');
      try {
        const answer = work();
        this.run('COMMIT');
        return answer;
      } catch (error) {
        if (this.#connection.isTransaction) this.run('ROLLBACK');
        throw error;
      }
    });
  }

  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): readonly SqlRow[] {
    return this.#statement(sql).all(...values);
  }

  /** How many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Larger leftovers of the write-ahead log are given back to the file system. */
const LOG_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 5_000;

function connect({ path, synchronous, busyTimeoutMs }: SqliteOptions): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true });
    // Playbooks and variables may hold credentials: nobody else on the machine may read the file.
    closeSync(openSync(path, 'a', 0o600));
  }
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs ?? BUSY_TIMEOUT_MS });
  try {
    connection.exec('PRAGMA journal_mode = WAL');
    connection.exec(`PRAGMA synchronous = ${synchronous}`);
    connection.exec(`PRAGMA journal_size_limit = ${LOG_SIZE_LIMIT_BYTES}`);
    return connection;
  } catch (error) {
    connection.close();
    throw new Error(`The file ${path} cannot be opened as a database.`, { cause: error });
  }
}

/** PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB (SQLite result codes). */
const unusable = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 26]);

function explained(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'ERR_INVALID_STATE') {
    return storeAway(`The database ${path} is closed.`, error);
  }
  if (error.code !== 'ERR_SQLITE_ERROR' || !('errcode' in error)) return error;
  const result = typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  if (unusable.has(result)) return storeAway(`The database ${path} cannot be used now.`, error);
  return new Error(`The database ${path} refused a request: ${error.message}`, { cause: error });
}
