/**
 * All that changes while a run goes on, in one document: changing it is the only commit point a turn has.
 * Large values, records of ended steps and the snapshot are documents of their own, written before the
 * state that refers to them; nobody sees them until then.
 */

import type { Variables } from '../../../core/cacao/playbook.ts';
import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import type { ManualCommand, ManualState } from '../../../core/execution/manual-command.ts';
import type { Run, WalkRecord } from '../../../core/execution/run.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { NewRun } from '../../../core/ports/run-store.ts';
import type { Draft, Piece } from './pieces.ts';
import { emptyLog, type StepLog } from './step-log.ts';

/** Variables by name, as pairs: any name is a name. */
export type Scope = readonly (readonly [name: string, variable: Piece<Variables[string]>])[];

export type AskedCommand = {
  /** Decides between commands opened at the same moment. */
  readonly stamp: string;
  readonly openedMs: number;
  readonly stepId: ManualCommand['stepId'];
  readonly turn: number;
  readonly state: ManualState;
  readonly command: Piece<ManualCommand>;
};

export type WalkEntry = {
  readonly record: WalkRecord;
  /** Written by this walk itself. */
  readonly variables: Scope;
  /** The execution this walk waits for. */
  readonly child?: ExecutionId;
  readonly asked?: AskedCommand;
};

export type RunState = {
  /** How often the state has changed. */
  readonly version: number;
  /** The place in lists. */
  readonly order: string;
  readonly run: Run;
  /** The digest of the idempotency key; the run exists once the key is known to be its own. */
  readonly key?: { readonly digest: string; readonly isOwn: boolean };
  readonly snapshot: Piece<JsonObject>;
  /** The scope the run began with. */
  readonly initial: Scope;
  readonly walks: readonly WalkEntry[];
  readonly log: StepLog;
  /** A child this run has begun, until it is known to be there. */
  readonly birth?: Piece<NewRun>;
};

/** What lists read of a state. */
export type RunView = { readonly run: Run; readonly isUnclaimed?: true };

/** A longer variable leaves the state. */
const INLINE_VARIABLE = 4_000;
/** Snapshots never change, so the state should not carry them along. */
const INLINE_SNAPSHOT = 0;

export type Beginning = {
  readonly order: string;
  readonly digest: string | undefined;
};

export function newState(newRun: NewRun, { order, digest }: Beginning, draft: Draft): RunState {
  return {
    version: 0,
    order,
    run: newRun.run,
    ...(digest === undefined ? {} : { key: { digest, isOwn: false } }),
    snapshot: draft.keep(newRun.snapshot, INLINE_SNAPSHOT),
    initial: writeScope([], newRun.variables, draft),
    walks: [newWalk(newRun.walk)],
    log: emptyLog,
  };
}

export function newWalk(record: WalkRecord): WalkEntry {
  const child = record.memo?.child?.executionId;
  return { record, variables: [], ...(child === undefined ? {} : { child }) };
}

export function findWalk(state: RunState, walkId: WalkId): WalkEntry | undefined {
  return state.walks.find(({ record }) => record.walkId === walkId);
}

/** Variables are replaced whole. */
export function writeScope(before: Scope, variables: Variables, draft: Draft): Scope {
  const scope = new Map(before);
  for (const [name, variable] of Object.entries(variables)) {
    draft.drop(scope.get(name));
    scope.set(name, draft.keep(variable, INLINE_VARIABLE));
  }
  return [...scope];
}

export function dropScope(scope: Scope, draft: Draft): void {
  for (const [, variable] of scope) draft.drop(variable);
}

export function viewOf({ run, key }: RunState): RunView {
  return key === undefined || key.isOwn ? { run } : { run, isUnclaimed: true };
}
