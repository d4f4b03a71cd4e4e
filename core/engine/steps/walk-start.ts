import type { PlanStepOf } from '../plan.ts';
import type { StepHandler } from './step-handler.ts';

/** Only names where to go. */
export const walkStart: StepHandler<PlanStepOf['start']> = {
  enter(walk, step) {
    walk.succeed(step);
    return undefined;
  },
  replied: () => undefined,
};
