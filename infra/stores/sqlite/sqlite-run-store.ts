/** Keeps the headers of executions in SQLite; what belongs to a run goes with its row. */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Control, Run } from '../../../core/execution/run.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { NewRun, RunFilter, RunStore } from '../../../core/ports/run-store.ts';
import { isFinished } from '../run-rules.ts';
import { addRun, findRun, updateRun } from './run-rows.ts';
import { integerOf, jsonOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export class SqliteRunStore implements RunStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  create(newRun: NewRun): Promise<{ readonly created: boolean; readonly run: Run }> {
    return this.#database.transaction(() => {
      const first = addRun(this.#database, newRun);
      return { created: first === undefined, run: first ?? structuredClone(newRun.run) };
    });
  }

  get(id: ExecutionId): Promise<Run | undefined> {
    return this.#database.request(() => findRun(this.#database, id)?.run);
  }

  snapshot(id: ExecutionId): Promise<JsonObject | undefined> {
    return this.#database.request(() => {
      const row = this.#database.get(
        'SELECT document FROM snapshots JOIN runs ON id = run WHERE execution_id = ?',
        id,
      );
      return row && jsonOf<JsonObject>(row, 'document');
    });
  }

  list(filter: RunFilter): Promise<readonly Run[]> {
    return this.#database.request(() => {
      const { finished, playbookId, order, limit } = filter;
      const conditions = [
        ...(finished === undefined ? [] : ['finished = ?']),
        ...(playbookId === undefined ? [] : ['playbook_id = ?']),
      ];
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const way = order === 'newest-first' ? 'DESC' : 'ASC';
      return this.#database
        .all(
          `SELECT header FROM runs ${where} ORDER BY started_ms ${way}, id ${way} LIMIT ?`,
          ...(finished === undefined ? [] : [Number(finished)]),
          ...(playbookId === undefined ? [] : [playbookId]),
          limit ?? -1,
        )
        .map((row) => jsonOf<Run>(row, 'header'));
    });
  }

  setControl(id: ExecutionId, control: Control): Promise<boolean> {
    return this.#database.transaction(() => {
      const row = findRun(this.#database, id);
      if (row === undefined || isFinished(row.run)) return false;
      updateRun(this.#database, row.key, { ...row.run, control });
      return true;
    });
  }

  purge(keep: number, most: number): Promise<readonly ExecutionId[]> {
    return this.#database.transaction(() => {
      const count = this.#database.get('SELECT count(*) AS runs FROM runs');
      const excess = count === undefined ? 0 : integerOf(count, 'runs') - keep;
      if (excess <= 0) return [];
      const forgotten = this.#database.all(oldestUnneeded, Math.min(excess, most));
      for (const row of forgotten) {
        this.#database.run('DELETE FROM runs WHERE id = ?', integerOf(row, 'id'));
      }
      return forgotten.map((row) => jsonOf<Run>(row, 'header').executionId);
    });
  }
}

/** Skips no more rows than there are walks of running runs that wait for a child. */
const oldestUnneeded = `
  SELECT id, header FROM runs
  WHERE finished = 1 AND NOT EXISTS (
    SELECT 1 FROM walks JOIN runs AS parent ON parent.id = walks.run
    WHERE walks.child = runs.execution_id AND parent.finished = 0
  )
  ORDER BY started_ms, id LIMIT ?`;
