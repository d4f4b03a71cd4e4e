/** The rows a run consists of from its first moment; written inside the caller's transaction. */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Run, Variables, WalkRecord } from '../../../core/execution/run.ts';
import type { NewRun } from '../../../core/ports/run-store.ts';
import { isFinished } from '../run-rules.ts';
import { integerOf, jsonOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Variables the run was created with stand outside of every walk. */
export const outsideWalks = '';

export type RunRow = { readonly key: number; readonly run: Run };

export function findRun(database: SqliteDatabase, id: ExecutionId): RunRow | undefined {
  const row = database.get('SELECT id, header FROM runs WHERE execution_id = ?', id);
  return row && { key: integerOf(row, 'id'), run: jsonOf<Run>(row, 'header') };
}

/** The run that was there first, by its key or its id; undefined when this one was added. */
export function addRun(database: SqliteDatabase, newRun: NewRun): Run | undefined {
  const { run, snapshot, variables, walk, idempotencyKey } = newRun;
  const first = findFirst(database, newRun);
  if (first !== undefined) return first;
  const added = database.get(
    `INSERT INTO runs (execution_id, idempotency_key, playbook_id, started_ms, finished, header)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
    run.executionId,
    idempotencyKey ?? null,
    run.playbookId,
    run.startedMs,
    Number(isFinished(run)),
    JSON.stringify(run),
  );
  if (added === undefined) throw new Error(`The run ${run.executionId} was not added.`);
  const key = integerOf(added, 'id');
  const document = JSON.stringify(snapshot);
  database.run('INSERT INTO snapshots (run, document) VALUES (?, ?)', key, document);
  writeVariables(database, key, outsideWalks, variables);
  addWalk(database, key, walk);
  return undefined;
}

export function updateRun(database: SqliteDatabase, key: number, run: Run): void {
  database.run(
    'UPDATE runs SET finished = ?, header = ? WHERE id = ?',
    Number(isFinished(run)),
    JSON.stringify(run),
    key,
  );
}

/** `walk` is a walk's id, or `outsideWalks`. */
export function writeVariables(
  database: SqliteDatabase,
  key: number,
  walk: string,
  variables: Variables,
): void {
  for (const [name, variable] of Object.entries(variables)) {
    database.run(
      `INSERT INTO variables (run, walk, name, value) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value`,
      key,
      walk,
      name,
      JSON.stringify(variable),
    );
  }
}

export function addWalk(database: SqliteDatabase, key: number, walk: WalkRecord): void {
  database.run(
    'INSERT INTO walks (run, walk, turn, attempts, child, record) VALUES (?, ?, ?, ?, ?, ?)',
    key,
    walk.walkId,
    walk.turn,
    walk.attempts,
    walk.memo?.child?.executionId ?? null,
    JSON.stringify(walk),
  );
}

function findFirst(database: SqliteDatabase, { run, idempotencyKey }: NewRun): Run | undefined {
  const row =
    idempotencyKey === undefined
      ? undefined
      : database.get('SELECT header FROM runs WHERE idempotency_key = ?', idempotencyKey);
  return row === undefined ? findRun(database, run.executionId)?.run : jsonOf<Run>(row, 'header');
}
