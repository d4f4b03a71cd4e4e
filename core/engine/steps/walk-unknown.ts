import type { PlanStepOf } from '../plan.ts';
import { concludeFailed } from './branching.ts';
import type { StepHandler } from './handlers.ts';

/** A step type nobody here knows must not pass for a success. */
export const walkUnknown: StepHandler<PlanStepOf['unknown']> = {
  enter(walk, step, working) {
    const error = `Steps of type ${JSON.stringify(step.typeName)} are not supported.`;
    return concludeFailed(walk, step, working, { status: 'client_side_error', error });
  },
  replied: () => undefined,
};
