/** Keeps the record of what happened in the memory of this process. */

import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import { walkLineage } from '../../../core/execution/ids.ts';
import type { StepRecord, Variables } from '../../../core/execution/run.ts';
import type { Commit, OpenWalk, RunJournal } from '../../../core/ports/run-journal.ts';
import { awaitedChild, begunBy, isFinished } from '../run-rules.ts';
import { frozen } from './frozen.ts';
import {
  addRun,
  type MemoryDatabase,
  newRunRow,
  newWalkRow,
  type RunRow,
  type WalkRow,
} from './memory-database.ts';
import { writeStep } from './step-tally.ts';

export class MemoryRunJournal implements RunJournal {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  open(id: ExecutionId, walkId: WalkId): Promise<OpenWalk | undefined> {
    return this.#database.request(({ runs }) => {
      const row = runs.get(id);
      const walk = row?.walks.get(walkId);
      if (row === undefined || walk === undefined) return undefined;
      const scopes = [row.initial, ...walkLineage(walkId).map((outer) => writtenBy(row, outer))];
      const variables = Object.fromEntries(scopes.flatMap((scope) => Object.entries(scope)));
      return { run: row.run, walk: walk.record, variables };
    });
  }

  begin(
    id: ExecutionId,
    walkId: WalkId,
    turn: number,
    step: StepRecord,
  ): Promise<number | 'stale'> {
    return this.#database.request(({ runs }) => {
      const row = runs.get(id);
      const walk = row?.walks.get(walkId);
      if (row === undefined || walk?.record.turn !== turn) return 'stale';
      const attempts = walk.record.attempts + 1;
      const record = frozen(step);
      row.walks.set(walkId, { ...walk, record: frozen({ ...walk.record, attempts }) });
      writeStep(row, record);
      return attempts;
    });
  }

  commit({ child, ...turn }: Commit): Promise<'committed' | 'stale'> {
    return this.#database.request((tables) => {
      const row = tables.runs.get(turn.executionId);
      const walk = row?.walks.get(turn.walkId);
      if (row === undefined || walk?.record.turn !== turn.fromTurn) return 'stale';
      // What cannot be copied fails here, before anything is changed.
      const kept = frozen(turn);
      const parent = { ...row.run, ...kept.run };
      const childRow = child === undefined ? undefined : newRunRow(begunBy(parent, child));
      const awaited = awaitedChild(child === undefined ? turn : { ...turn, child });
      apply(row, kept, movedWalk(walk, kept, awaited));
      if (childRow !== undefined) addRun(tables, childRow);
      return 'committed';
    });
  }

  written(id: ExecutionId, walkId: WalkId): Promise<Variables> {
    return this.#database.request(({ runs }) => {
      const row = runs.get(id);
      return row === undefined ? {} : writtenBy(row, walkId);
    });
  }

  steps(
    id: ExecutionId,
  ): Promise<readonly { readonly record: StepRecord; readonly count: number }[]> {
    return this.#database.request(({ runs }) => {
      const row = runs.get(id);
      if (row === undefined) return [];
      return [...row.steps.values()].map(({ record, n }) => ({
        record,
        count: row.tallies.get(record.stepId)?.count ?? n,
      }));
    });
  }
}

type Turn = Omit<Commit, 'child'>;

function writtenBy(row: RunRow, walkId: WalkId): Variables {
  return Object.fromEntries(row.walks.get(walkId)?.variables ?? []);
}

/** The walk at its new turn, with what it has written and what it asks. */
function movedWalk(
  before: WalkRow,
  { walk, variables, ask, consumed }: Turn,
  child: ExecutionId | undefined,
): WalkRow {
  const asked = before.manual;
  const isConsumed = asked?.stepId === consumed?.stepId && asked?.turn === consumed?.turn;
  const manual = ask ?? (isConsumed ? undefined : asked);
  return {
    record: walk,
    variables: new Map([...before.variables, ...Object.entries(variables)]),
    child,
    ...(manual === undefined ? {} : { manual }),
  };
}

function apply(row: RunRow, { walkId, steps, run, walks, joined }: Turn, moved: WalkRow): void {
  for (const id of joined ?? []) row.walks.delete(id);
  row.walks.set(walkId, moved);
  for (const walk of walks ?? []) row.walks.set(walk.walkId, newWalkRow(walk));
  for (const step of steps) writeStep(row, step);
  if (run === undefined) return;
  row.run = frozen({ ...row.run, ...run });
  if (isFinished(row.run)) removeCommands(row);
}

function removeCommands({ walks }: RunRow): void {
  for (const [id, { manual, ...walk }] of walks) if (manual !== undefined) walks.set(id, walk);
}
