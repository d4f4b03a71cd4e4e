import type { PlanStepOf } from '../plan.ts';
import { conclude, concludeFailed } from './branching.ts';
import type { StepHandler } from './step-handler.ts';
import { testCondition } from './test-condition.ts';

/** Walks on_true or on_false until it ends, then goes on after the step. */
export const walkIf: StepHandler<PlanStepOf['if-condition']> = {
  enter(walk, step, working) {
    const verdict = testCondition(walk, step.condition);
    if (verdict.value === undefined) return concludeFailed(walk, step, working, verdict.failure);
    const branch = verdict.value ? step.onTrue : step.onFalse;
    if (branch === undefined) return conclude(walk, step, working, 'the condition is false');
    walk.note(step.id, working, 'ongoing', `the condition is ${verdict.value}`);
    walk.pushBranch(branch, working);
    return undefined;
  },
  replied: (walk, step, working) => conclude(walk, step, working, 'the chosen branch has ended'),
};
