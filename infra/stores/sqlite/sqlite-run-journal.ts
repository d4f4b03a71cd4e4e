/** Keeps the record of what happened in SQLite: one transaction per commit, only changed rows written. */

import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import { walkLineage } from '../../../core/execution/ids.ts';
import type { StepRecord, Variables, WalkRecord } from '../../../core/execution/run.ts';
import type { Commit, OpenWalk, RunJournal } from '../../../core/ports/run-journal.ts';
import { awaitedChild, begunBy, isFinished } from '../run-rules.ts';
import { ask, consume, removeCommands } from './manual-rows.ts';
import {
  addRun,
  addWalk,
  findRun,
  outsideWalks,
  type RunRow,
  updateRun,
  writeVariables,
} from './run-rows.ts';
import { integerOf, jsonOf, textOf } from './sql-row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { stepRows, writeStep } from './step-rows.ts';

export class SqliteRunJournal implements RunJournal {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  open(id: ExecutionId, walkId: WalkId): Promise<OpenWalk | undefined> {
    return this.#database.request(() => {
      const found = findRun(this.#database, id);
      const row =
        found &&
        this.#database.get(
          'SELECT attempts, record FROM walks WHERE run = ? AND walk = ?',
          found.key,
          walkId,
        );
      if (found === undefined || row === undefined) return undefined;
      const walk = { ...jsonOf<WalkRecord>(row, 'record'), attempts: integerOf(row, 'attempts') };
      const scopes = [outsideWalks, ...walkLineage(walkId)];
      const variables = scopes.flatMap((scope) => this.#variablesOf(found.key, scope));
      return { run: found.run, walk, variables: Object.fromEntries(variables) };
    });
  }

  begin(
    id: ExecutionId,
    walkId: WalkId,
    turn: number,
    step: StepRecord,
  ): Promise<number | 'stale'> {
    return this.#database.transaction(() => {
      const row = this.#database.get(
        `UPDATE walks SET attempts = attempts + 1
         WHERE run = (SELECT id FROM runs WHERE execution_id = ?) AND walk = ? AND turn = ?
         RETURNING run, attempts`,
        id,
        walkId,
        turn,
      );
      if (row === undefined) return 'stale';
      writeStep(this.#database, integerOf(row, 'run'), step);
      return integerOf(row, 'attempts');
    });
  }

  commit(commit: Commit): Promise<'committed' | 'stale'> {
    return this.#database.transaction(() => {
      const found = findRun(this.#database, commit.executionId);
      if (found === undefined || !this.#moveWalk(found.key, commit)) return 'stale';
      this.#apply(found, commit);
      return 'committed';
    });
  }

  written(id: ExecutionId, walkId: WalkId): Promise<Variables> {
    return this.#database.request(() => {
      const found = findRun(this.#database, id);
      return Object.fromEntries(found === undefined ? [] : this.#variablesOf(found.key, walkId));
    });
  }

  steps(
    id: ExecutionId,
  ): Promise<readonly { readonly record: StepRecord; readonly count: number }[]> {
    return this.#database.request(() => {
      const found = findRun(this.#database, id);
      return found === undefined ? [] : stepRows(this.#database, found.key);
    });
  }

  /** False when the walk is not where the commit begins. */
  #moveWalk(key: number, commit: Commit): boolean {
    const { walk, walkId, fromTurn } = commit;
    const moved = this.#database.run(
      `UPDATE walks SET turn = ?, attempts = ?, child = ?, record = ?
       WHERE run = ? AND walk = ? AND turn = ?`,
      walk.turn,
      walk.attempts,
      awaitedChild(commit) ?? null,
      JSON.stringify(walk),
      key,
      walkId,
      fromTurn,
    );
    return moved === 1;
  }

  #apply({ key, run }: RunRow, commit: Commit): void {
    const database = this.#database;
    const { walkId, consumed } = commit;
    for (const walk of commit.joined ?? []) {
      database.run('DELETE FROM variables WHERE run = ? AND walk = ?', key, walk);
      database.run('DELETE FROM walks WHERE run = ? AND walk = ?', key, walk);
    }
    writeVariables(database, key, walkId, commit.variables);
    for (const step of commit.steps) writeStep(database, key, step);
    for (const walk of commit.walks ?? []) addWalk(database, key, walk);
    if (consumed !== undefined) consume(database, key, walkId, consumed);
    if (commit.ask !== undefined) ask(database, key, commit.ask);
    const changed = { ...run, ...commit.run };
    if (commit.child !== undefined) addRun(database, begunBy(changed, commit.child));
    if (commit.run === undefined) return;
    updateRun(database, key, changed);
    if (isFinished(changed)) removeCommands(database, key);
  }

  #variablesOf(key: number, walk: string): [string, Variables[string]][] {
    return this.#database
      .all('SELECT name, value FROM variables WHERE run = ? AND walk = ?', key, walk)
      .map((row) => [textOf(row, 'name'), jsonOf<Variables[string]>(row, 'value')]);
  }
}
