/** Keeps the newest invocations of every step of a run and counts them all. */

import type { StepRecord } from '../../../core/execution/run.ts';
import { KEPT_PER_STEP } from '../run-rules.ts';
import type { RunRow } from './memory-database.ts';

/** `record` must be frozen. A known invocation keeps its place. */
export function writeStep({ steps, tallies }: RunRow, record: StepRecord): void {
  const { invocation, stepId } = record;
  const known = steps.get(invocation);
  const before = tallies.get(stepId) ?? { count: 0, kept: [] };
  const count = known === undefined ? before.count + 1 : before.count;
  steps.set(invocation, { record, n: known?.n ?? count });
  const all = known === undefined ? [...before.kept, invocation] : before.kept;
  const kept = all.filter((name) => {
    const step = steps.get(name);
    if (step === undefined) return false;
    if (step.n > count - KEPT_PER_STEP || step.record.status === 'ongoing') return true;
    steps.delete(name);
    return false;
  });
  tallies.set(stepId, { count, kept });
}
