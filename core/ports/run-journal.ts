import type { ExecutionId, WalkId } from '../execution/ids.ts';
import type { ConsumedCommand, ManualCommand } from '../execution/manual-command.ts';
import type { Run, StepRecord, Variables, WalkRecord } from '../execution/run.ts';
import type { NewRun } from './run-store.ts';

/** What one turn of a walk changed. Applied whole or not at all. */
export type Commit = {
  readonly executionId: ExecutionId;
  readonly walkId: WalkId;
  /** The commit applies only while the walk stands at this turn. */
  readonly fromTurn: number;
  /** The walk at its new turn (`fromTurn + 1`, attempts 0). */
  readonly walk: WalkRecord;
  /** Variables written by this walk, whole objects by name. */
  readonly variables: Variables;
  /** Inserted, or replaced when the invocation is already known. */
  readonly steps: readonly StepRecord[];
  /**
   * Changes of the run's header, on its last turn or when its text changes. Manual commands disappear
   * with the end of their run.
   */
  readonly run?: Partial<Pick<Run, 'status' | 'statusText' | 'errors' | 'endedMs' | 'control'>>;
  /** Concurrent branches begun by this turn. */
  readonly walks?: readonly WalkRecord[];
  /** Walks whose variables were merged by this turn; they are removed with all that is theirs. */
  readonly joined?: readonly WalkId[];
  /**
   * The child run begun by a playbook-action. Whatever its own header says, it begins with the `control`
   * its parent has at this commit: what an operator asked in the last moment reaches it, too.
   */
  readonly child?: NewRun;
  /** A manual command to show to operators. Replaces an earlier one of the same walk. */
  readonly ask?: ManualCommand;
  /** The manual command of this walk whose answer or expiry this turn consumed. */
  readonly consumed?: ConsumedCommand;
};

/** A walk with all it may read: its run, and the variables of its lineage, inner ones winning. */
export type OpenWalk = {
  readonly run: Run;
  readonly walk: WalkRecord;
  readonly variables: Variables;
};

/**
 * The record of what happened: one atomic commit per turn. Recorded work is never done again, because
 * a repeated activity finds its turn passed. Adapters pass `tests/contracts/run-journal.contract.ts`.
 */
export interface RunJournal {
  open(id: ExecutionId, walkId: WalkId): Promise<OpenWalk | undefined>;
  /**
   * Notes that the work of this turn begins, with the step as it is reported meanwhile. Answers how often
   * it has begun now (1 = first time), or 'stale' when the walk has moved on.
   */
  begin(id: ExecutionId, walkId: WalkId, turn: number, step: StepRecord): Promise<number | 'stale'>;
  /** 'stale' when the walk is not at `fromTurn` any more; nothing was written then. */
  commit(commit: Commit): Promise<'committed' | 'stale'>;
  /**
   * Variables this walk's commits wrote (of a joined branch, of a child's main walk); those the run was
   * created with are not among them until a commit writes them again.
   */
  written(id: ExecutionId, walkId: WalkId): Promise<Variables>;
  /**
   * Invocations in order of their first write. Per step the newest 51 are kept, and older ones until
   * their end is recorded; `count` says how often the step was invoked in all.
   */
  steps(
    id: ExecutionId,
  ): Promise<readonly { readonly record: StepRecord; readonly count: number }[]>;
}
