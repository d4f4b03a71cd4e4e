/** One row per instance: what status queries show, and what an episode needs besides the history. */
import type { DatabaseSync } from 'node:sqlite';
import type { InstanceStatus, ParentLink } from '../protocol/history-event.ts';
import type { SqlRow } from './sql-row.ts';
import { numberOf, textOf, textOrNull } from './sql-row.ts';

export type Instance = {
  readonly id: string;
  /** Changes at every start and every continueAsNew; messages for an older one are dropped. */
  readonly executionId: string;
  readonly name: string;
  readonly version: string | null;
  readonly status: InstanceStatus;
  /** JSON text. */
  readonly input: string | null;
  /** JSON text when completed, plain text when failed or terminated. */
  readonly output: string | null;
  /** JSON text. */
  readonly customStatus: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly parent: ParentLink | null;
};

/** Instances are listed by creation; `after` is the last one of the page before. */
export type InstanceFilter = {
  readonly statuses: readonly InstanceStatus[];
  readonly createdFrom: number;
  readonly createdTo: number;
  readonly idPrefix: string;
  readonly after: { readonly createdAt: number; readonly id: string };
  readonly limit: number;
};

export class InstanceTable {
  readonly #find;
  readonly #put;
  readonly #update;
  readonly #list;
  readonly #delete;

  constructor(database: DatabaseSync) {
    this.#find = database.prepare('SELECT * FROM instances WHERE id = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO instances VALUES (?,?,?,?,?,?,?,?,?,?,?)');
    this.#update = database.prepare(
      'UPDATE instances SET status = ?, output = ?, custom_status = ?, updated_at = ? WHERE id = ?',
    );
    this.#list = database.prepare(
      `SELECT * FROM instances
       WHERE (created_at, id) > (?, ?) AND created_at >= ? AND created_at <= ?
         AND substr(id, 1, length(?)) = ? AND instr(?, ',' || status || ',') > 0
       ORDER BY created_at, id LIMIT ?`,
    );
    this.#delete = database.prepare('DELETE FROM instances WHERE id = ?');
  }

  find(id: string): Instance | undefined {
    const row = this.#find.get(id);
    return row === undefined ? undefined : toInstance(row);
  }

  /** Adds the instance or replaces the one of the same id. */
  put(instance: Instance): void {
    this.#put.run(
      instance.id,
      instance.executionId,
      instance.name,
      instance.version,
      instance.status,
      instance.input,
      instance.output,
      instance.customStatus,
      instance.createdAt,
      instance.updatedAt,
      instance.parent === null ? null : JSON.stringify(instance.parent),
    );
  }

  /** Writes what an episode changes within one generation. */
  update(instance: Instance): void {
    const { status, output, customStatus, updatedAt, id } = instance;
    this.#update.run(status, output, customStatus, updatedAt, id);
  }

  list(filter: InstanceFilter): readonly Instance[] {
    const rows = this.#list.all(
      filter.after.createdAt,
      filter.after.id,
      filter.createdFrom,
      filter.createdTo,
      filter.idPrefix,
      filter.idPrefix,
      `,${filter.statuses.join(',')},`,
      filter.limit,
    );
    return rows.map(toInstance);
  }

  delete(id: string): void {
    this.#delete.run(id);
  }
}

function toInstance(row: SqlRow): Instance {
  const parent = textOrNull(row, 'parent');
  return {
    id: textOf(row, 'id'),
    executionId: textOf(row, 'execution'),
    name: textOf(row, 'name'),
    version: textOrNull(row, 'version'),
    status: textOf(row, 'status') as InstanceStatus,
    input: textOrNull(row, 'input'),
    output: textOrNull(row, 'output'),
    customStatus: textOrNull(row, 'custom_status'),
    createdAt: numberOf(row, 'created_at'),
    updatedAt: numberOf(row, 'updated_at'),
    parent: parent === null ? null : (JSON.parse(parent) as ParentLink),
  };
}
