import type { StepEffect } from '../effects.ts';
import type { PlanStep } from '../plan.ts';
import type { Walk, Working } from '../walk.ts';

/** What every effect of a step says: which invocation, and when it must be over. */
export function stepEffect(walk: Walk, step: PlanStep, working: Working): StepEffect {
  return bounded(step, working, walk.deadlineMs(working.deadlineMs));
}

/** The same, bounded by the frames around the step alone. */
export function questionEffect(walk: Walk, step: PlanStep, working: Working): StepEffect {
  return bounded(step, working, walk.deadlineMs());
}

function bounded(step: PlanStep, working: Working, deadlineMs: number | undefined): StepEffect {
  const { invocation, startedMs } = working;
  const effect = { step: step.id, invocation, startedMs };
  return deadlineMs === undefined ? effect : { ...effect, deadlineMs };
}
