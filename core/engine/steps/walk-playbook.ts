import type { PlanStepOf } from '../plan.ts';
import { conclude, concludeFailed } from './branching.ts';
import { stepEffect } from './step-effect.ts';
import type { StepHandler } from './step-handler.ts';

/** Another stored playbook, as an execution of its own. */
export const walkPlaybook: StepHandler<PlanStepOf['playbook-action']> = {
  enter(walk, step, working) {
    walk.note(step.id, working, 'ongoing', 'the playbook is being executed');
    return { kind: 'child', ...stepEffect(walk, step, working) };
  },
  replied(walk, step, working, failure) {
    if (failure !== undefined) return concludeFailed(walk, step, working, failure);
    return conclude(walk, step, working, 'the playbook has ended');
  },
};
