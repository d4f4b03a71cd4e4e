/** Rules of the journal that every adapter shares. */

import type { ExecutionId } from '../../core/execution/ids.ts';
import type { Run } from '../../core/execution/run.ts';
import type { Commit } from '../../core/ports/run-journal.ts';
import type { NewRun } from '../../core/ports/run-store.ts';

/** Newest invocations kept of one step: the latest and 50 earlier ones. */
export const KEPT_PER_STEP = 51;

export function isFinished(run: Pick<Run, 'status'>): boolean {
  return run.status !== 'ongoing';
}

/** The child the walk waits for at its new turn; it must outlive that turn. */
export function awaitedChild(commit: Pick<Commit, 'walk' | 'child'>): ExecutionId | undefined {
  return commit.child?.run.executionId ?? commit.walk.memo?.child?.executionId;
}

/** The child as it begins: an operator who asked something of the parent meant the child as well. */
export function begunBy(parent: Run, child: NewRun): NewRun {
  return { ...child, run: { ...child.run, control: parent.control } };
}
