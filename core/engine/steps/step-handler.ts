import type { Effect, StepFailure } from '../effects.ts';
import type { PlanStep } from '../plan.ts';
import type { Walk, Working } from '../walk.ts';

/** How a step type is walked. Answering undefined means: nothing to do outside, move on. */
export interface StepHandler<Step extends PlanStep> {
  /** The step begins; its delay is over. */
  enter(walk: Walk, step: Step, working: Working): Effect | undefined;
  /** Its effect was done, or the branch it pushed has ended (then without failure). */
  replied(
    walk: Walk,
    step: Step,
    working: Working,
    failure: StepFailure | undefined,
  ): Effect | undefined;
}
