/** Keeps manual commands in SQLite. */

import type { StepId } from '../../../core/cacao/ids.ts';
import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import type { ManualCommand } from '../../../core/execution/manual-command.ts';
import type { ManualQueue } from '../../../core/ports/manual-queue.ts';
import { integerOf, jsonOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export class SqliteManualQueue implements ManualQueue {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  list(): Promise<readonly ManualCommand[]> {
    return this.#inState('pending');
  }

  answered(): Promise<readonly ManualCommand[]> {
    return this.#inState('answered');
  }

  get(id: ExecutionId, stepId: StepId, walkId?: WalkId): Promise<ManualCommand | undefined> {
    return this.#database.request(() => {
      const row = this.#database.get(newestOfStep, id, stepId, walkId ?? null);
      return row && jsonOf<ManualCommand>(row, 'command');
    });
  }

  settle(
    ...[id, stepId, turn, to, walkId]: Parameters<ManualQueue['settle']>
  ): ReturnType<ManualQueue['settle']> {
    return this.#database.transaction(() => {
      const row = this.#database.get(newestOfTurn, id, stepId, walkId ?? null, turn);
      if (row === undefined) return undefined;
      const command = jsonOf<ManualCommand>(row, 'command');
      if (command.state.kind !== 'pending') return { won: false, state: command.state };
      this.#database.run(
        'UPDATE manual_commands SET state = ?, command = ? WHERE position = ?',
        to.kind,
        JSON.stringify({ ...command, state: to }),
        integerOf(row, 'position'),
      );
      return { won: true, state: structuredClone(to) };
    });
  }

  #inState(state: ManualCommand['state']['kind']): Promise<readonly ManualCommand[]> {
    return this.#database.request(() =>
      this.#database
        .all(
          'SELECT command FROM manual_commands WHERE state = ? ORDER BY opened_ms, position',
          state,
        )
        .map((row) => jsonOf<ManualCommand>(row, 'command')),
    );
  }
}

function newestWhere(more: string): string {
  return `
    SELECT position, command FROM manual_commands
    WHERE run = (SELECT id FROM runs WHERE execution_id = ?1) AND step = ?2
      AND (?3 IS NULL OR walk = ?3) ${more}
    ORDER BY opened_ms DESC, position DESC LIMIT 1`;
}

const newestOfStep = newestWhere('');
const newestOfTurn = newestWhere('AND turn = ?4');
