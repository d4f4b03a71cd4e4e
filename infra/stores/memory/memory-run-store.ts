/** Keeps the headers of executions in the memory of this process. */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Control, Run } from '../../../core/execution/run.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { NewRun, RunFilter, RunStore } from '../../../core/ports/run-store.ts';
import { isFinished } from '../run-rules.ts';
import { frozen } from './frozen.ts';
import { addRun, type MemoryDatabase, newRunRow, type RunRow } from './memory-database.ts';

export class MemoryRunStore implements RunStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  create(newRun: NewRun): Promise<{ readonly created: boolean; readonly run: Run }> {
    return this.#database.request((tables) => {
      const row = newRunRow(newRun);
      const first = addRun(tables, row);
      return { created: first === undefined, run: first ?? row.run };
    });
  }

  get(id: ExecutionId): Promise<Run | undefined> {
    return this.#database.request(({ runs }) => runs.get(id)?.run);
  }

  snapshot(id: ExecutionId): Promise<JsonObject | undefined> {
    return this.#database.request(({ runs }) => runs.get(id)?.snapshot);
  }

  list({ finished, playbookId, order, limit }: RunFilter): Promise<readonly Run[]> {
    return this.#database.request(({ runs }) => {
      const chosen = byStart(runs.values())
        .map(({ run }) => run)
        .filter((run) => finished === undefined || isFinished(run) === finished)
        .filter((run) => playbookId === undefined || run.playbookId === playbookId);
      return (order === 'newest-first' ? chosen.reverse() : chosen).slice(0, limit);
    });
  }

  setControl(id: ExecutionId, control: Control): Promise<boolean> {
    return this.#database.request(({ runs }) => {
      const row = runs.get(id);
      if (row === undefined || isFinished(row.run)) return false;
      row.run = frozen({ ...row.run, control });
      return true;
    });
  }

  purge(keep: number, most: number): Promise<readonly ExecutionId[]> {
    return this.#database.request(({ runs, keys }) => {
      const excess = Math.max(0, Math.min(most, runs.size - keep));
      const awaited = awaitedChildren(runs.values());
      const forgotten = byStart(runs.values())
        .filter(({ run }) => isFinished(run) && !awaited.has(run.executionId))
        .slice(0, excess);
      for (const { run, idempotencyKey } of forgotten) {
        runs.delete(run.executionId);
        if (idempotencyKey !== undefined) keys.delete(idempotencyKey);
      }
      return forgotten.map(({ run }) => run.executionId);
    });
  }
}

/** The sort is stable, so ties stay in the order of creation. */
function byStart(rows: Iterable<RunRow>): RunRow[] {
  return [...rows].sort((left, right) => left.run.startedMs - right.run.startedMs);
}

function awaitedChildren(rows: Iterable<RunRow>): ReadonlySet<ExecutionId> {
  const running = [...rows].filter(({ run }) => !isFinished(run));
  const walks = running.flatMap((row) => [...row.walks.values()]);
  return new Set(walks.flatMap(({ child }) => (child === undefined ? [] : [child])));
}
