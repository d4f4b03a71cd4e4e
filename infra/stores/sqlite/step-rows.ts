/**
 * Step records, numbered per step: the newest number is the count of invocations. Writing costs the same
 * whether it is the first invocation of a step or its ten-thousandth.
 */

import type { StepRecord } from '../../../core/execution/run.ts';
import { KEPT_PER_STEP } from '../run-rules.ts';
import { integerOf, jsonOf, textOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export function writeStep(database: SqliteDatabase, run: number, record: StepRecord): void {
  const { invocation, stepId, status } = record;
  const ongoing = Number(status === 'ongoing');
  const json = JSON.stringify(record);
  const known = database.run(
    'UPDATE steps SET ongoing = ?, record = ? WHERE run = ? AND invocation = ?',
    ongoing,
    json,
    run,
    invocation,
  );
  if (known === 0) {
    const n = countOf(database, run, stepId) + 1;
    database.run(
      'INSERT INTO steps (run, invocation, step, n, ongoing, record) VALUES (?, ?, ?, ?, ?, ?)',
      run,
      invocation,
      stepId,
      n,
      ongoing,
      json,
    );
  }
  const last = countOf(database, run, stepId) - KEPT_PER_STEP;
  if (last < 1) return;
  database.run(
    'DELETE FROM steps WHERE run = ? AND step = ? AND n <= ? AND ongoing = 0',
    run,
    stepId,
    last,
  );
}

export function stepRows(
  database: SqliteDatabase,
  run: number,
): readonly { readonly record: StepRecord; readonly count: number }[] {
  const rows = database.all(
    'SELECT step, n, record FROM steps WHERE run = ? ORDER BY position',
    run,
  );
  const counts = new Map<string, number>();
  for (const row of rows) {
    const step = textOf(row, 'step');
    counts.set(step, Math.max(integerOf(row, 'n'), counts.get(step) ?? 0));
  }
  return rows.map((row) => ({
    record: jsonOf<StepRecord>(row, 'record'),
    count: counts.get(textOf(row, 'step')) ?? 1,
  }));
}

function countOf(database: SqliteDatabase, run: number, step: string): number {
  const row = database.get(
    'SELECT coalesce(max(n), 0) AS count FROM steps WHERE run = ? AND step = ?',
    run,
    step,
  );
  return row === undefined ? 0 : integerOf(row, 'count');
}
