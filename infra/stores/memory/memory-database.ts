/**
 * The tables of the in-memory stores. Requests run without interruption, so each is atomic as long as it
 * fails before its first change. Everything in the tables is frozen.
 */

import type { PlaybookId, StepId } from '../../../core/cacao/ids.ts';
import type { ExecutionId, WalkId } from '../../../core/execution/ids.ts';
import type { ManualCommand } from '../../../core/execution/manual-command.ts';
import type { Run, StepRecord, Variables, WalkRecord } from '../../../core/execution/run.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { PlaybookMeta } from '../../../core/ports/playbook-store.ts';
import type { NewRun } from '../../../core/ports/run-store.ts';
import { storeAway } from '../store-away.ts';
import { frozen } from './frozen.ts';

export type PlaybookRow = { readonly document: JsonObject; readonly meta: PlaybookMeta };

export type WalkRow = {
  readonly record: WalkRecord;
  /** Written by this walk itself. */
  readonly variables: ReadonlyMap<string, Variables[string]>;
  /** The execution this walk waits for. */
  readonly child: ExecutionId | undefined;
  readonly manual?: ManualCommand;
};

export type StepRow = { readonly record: StepRecord; readonly n: number };

export type RunRow = {
  run: Run;
  readonly snapshot: JsonObject;
  readonly initial: Variables;
  readonly idempotencyKey: string | undefined;
  readonly walks: Map<WalkId, WalkRow>;
  /** By invocation, in order of the first write. */
  readonly steps: Map<string, StepRow>;
  /** Per step how often it was invoked, and the invocations still kept. */
  readonly tallies: Map<StepId, { readonly count: number; readonly kept: readonly string[] }>;
};

export class MemoryDatabase {
  /** In creation order; replacing a value of a Map keeps its place. */
  readonly #playbooks = new Map<PlaybookId, PlaybookRow>();
  readonly #runs = new Map<ExecutionId, RunRow>();
  readonly #keys = new Map<string, ExecutionId>();
  #closed = false;

  /** Rejects with `store-away` once closed. */
  async request<Answer>(work: (tables: MemoryTables) => Answer): Promise<Answer> {
    if (this.#closed) throw storeAway('The in-memory store is closed.');
    return work({ playbooks: this.#playbooks, runs: this.#runs, keys: this.#keys });
  }

  close(): void {
    this.#closed = true;
  }
}

export type MemoryTables = {
  readonly playbooks: Map<PlaybookId, PlaybookRow>;
  readonly runs: Map<ExecutionId, RunRow>;
  readonly keys: Map<string, ExecutionId>;
};

export function newRunRow({ run, snapshot, variables, walk, idempotencyKey }: NewRun): RunRow {
  return {
    run: frozen(run),
    snapshot: frozen(snapshot),
    initial: frozen(variables),
    idempotencyKey,
    walks: new Map([[walk.walkId, newWalkRow(walk)]]),
    steps: new Map(),
    tallies: new Map(),
  };
}

export function newWalkRow(record: WalkRecord): WalkRow {
  const child = record.memo?.child?.executionId;
  return { record: frozen(record), variables: new Map(), child };
}

/** The run that was there first, by its key or its id; undefined when this one was added. */
export function addRun({ runs, keys }: MemoryTables, row: RunRow): Run | undefined {
  const { run, idempotencyKey } = row;
  const first = idempotencyKey === undefined ? undefined : keys.get(idempotencyKey);
  const known = runs.get(first ?? run.executionId);
  if (known !== undefined) return known.run;
  runs.set(run.executionId, row);
  if (idempotencyKey !== undefined) keys.set(idempotencyKey, run.executionId);
  return undefined;
}
