import type { PlaybookId } from '../cacao/ids.ts';
import type { ExecutionId } from '../execution/ids.ts';
import type { Control, Run, Variables, WalkRecord } from '../execution/run.ts';
import type { JsonObject } from '../json.ts';

/** Everything needed to begin an execution; written as one. */
export type NewRun = {
  readonly run: Run;
  /** The playbook as it was when the run was triggered; never changes afterwards. */
  readonly snapshot: JsonObject;
  /** The scope it begins with. Read by every walk, `written` by none. */
  readonly variables: Variables;
  readonly walk: WalkRecord;
  /** A repeated create with the same key answers the first run and creates nothing. */
  readonly idempotencyKey?: string;
};

export type RunFilter = {
  readonly finished?: boolean;
  readonly playbookId?: PlaybookId;
  readonly order: 'oldest-first' | 'newest-first';
  /** All when absent. */
  readonly limit?: number;
};

/** Keeps the headers of executions. Adapters pass `tests/contracts/run-store.contract.ts`. */
export interface RunStore {
  /** `created` is false when the idempotency key or the execution id was seen before; `run` is then the first one. */
  create(run: NewRun): Promise<{ readonly created: boolean; readonly run: Run }>;
  get(id: ExecutionId): Promise<Run | undefined>;
  snapshot(id: ExecutionId): Promise<JsonObject | undefined>;
  /** Ordered by start, ties by creation; served from headers alone. */
  list(filter: RunFilter): Promise<readonly Run[]>;
  /** Sets what an operator asks of a run; false when the run is missing or finished. */
  setControl(id: ExecutionId, control: Control): Promise<boolean>;
  /**
   * Forgets the oldest finished runs, with all that belongs to them, until at most `keep` runs remain
   * or only running ones are left; at most `most` per call. Answers the ids forgotten.
   * A finished child is needed, and stays, while a running parent's walk stands at the turn that began it.
   */
  purge(keep: number, most: number): Promise<readonly ExecutionId[]>;
}
