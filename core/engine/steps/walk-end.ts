import type { PlanStepOf } from '../plan.ts';
import type { StepHandler } from './step-handler.ts';

/** Ends the branch being walked; control returns to the step the branch belongs to. */
export const walkEnd: StepHandler<PlanStepOf['end']> = {
  enter(walk) {
    walk.endBranch();
    return undefined;
  },
  replied: () => undefined,
};
