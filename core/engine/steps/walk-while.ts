import type { PlanStepOf } from '../plan.ts';
import type { Walk, Working } from '../walk.ts';
import { conclude, concludeFailed } from './branching.ts';
import type { StepHandler } from './step-handler.ts';
import { testCondition } from './test-condition.ts';

/** Tests, walks on_true until it ends, and tests again, until the condition is false. */
export const walkWhile: StepHandler<PlanStepOf['while-condition']> = {
  enter(walk, step, working) {
    walk.note(step.id, working, 'ongoing', 'the loop begins');
    return turn(walk, step, working);
  },
  replied: (walk, step, working) => turn(walk, step, walk.nextRound(working)),
};

function turn(walk: Walk, step: PlanStepOf['while-condition'], working: Working): undefined {
  const verdict = testCondition(walk, step.condition);
  if (verdict.value === undefined) return concludeFailed(walk, step, working, verdict.failure);
  if (!verdict.value) {
    return conclude(walk, step, working, `the loop ended after ${working.round} turns`);
  }
  if (working.round >= walk.guards.loopTurns) {
    const error = `The loop did not end within ${walk.guards.loopTurns} turns.`;
    return concludeFailed(walk, step, working, { status: 'failed', error });
  }
  walk.pushBranch(step.onTrue, working);
  return undefined;
}
