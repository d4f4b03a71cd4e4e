import type { StepFailure } from '../effects.ts';
import type { PlanStep } from '../plan.ts';
import type { Walk, Working } from '../walk.ts';

/** The step under the cursor, which has no activity of its own, ended well. */
export function conclude(walk: Walk, step: PlanStep, working: Working, text: string): undefined {
  walk.note(step.id, working, 'successfully_executed', text);
  walk.succeed(step);
  return undefined;
}

/** The step under the cursor, which has no activity of its own, failed. */
export function concludeFailed(
  walk: Walk,
  step: PlanStep,
  working: Working,
  failure: StepFailure,
): undefined {
  walk.note(step.id, working, failure.status, 'the step failed', failure.error);
  walk.fail(step, failure);
  return undefined;
}
