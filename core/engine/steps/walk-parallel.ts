import type { Effect } from '../effects.ts';
import type { PlanStepOf } from '../plan.ts';
import type { Walk, Working } from '../walk.ts';
import { conclude, concludeFailed } from './branching.ts';
import { stepEffect } from './step-effect.ts';
import type { StepHandler } from './step-handler.ts';

/** Branches in order, one after the other, or side by side when the plan says so. */
export const walkParallel: StepHandler<PlanStepOf['parallel']> = {
  enter(walk, step, working) {
    const manner = walk.plan.parallel === 'concurrent' ? 'side by side' : 'one after the other';
    walk.note(step.id, working, 'ongoing', `its ${step.branches.length} branches run ${manner}`);
    if (walk.plan.parallel === 'concurrent') return fork(walk, step, working);
    return branch(walk, step, working);
  },
  replied(walk, step, working, failure) {
    if (failure !== undefined) return concludeFailed(walk, step, working, failure);
    if (walk.plan.parallel === 'concurrent') return ended(walk, step, working);
    return branch(walk, step, walk.nextRound(working));
  },
};

function fork(walk: Walk, step: PlanStepOf['parallel'], working: Working): Effect {
  return {
    kind: 'fork',
    branches: step.branches,
    scope: walk.scope(),
    ...stepEffect(walk, step, working),
  };
}

function branch(walk: Walk, step: PlanStepOf['parallel'], working: Working): undefined {
  const start = step.branches[working.round];
  if (start === undefined) return ended(walk, step, working);
  walk.pushBranch(start, working);
  return undefined;
}

function ended(walk: Walk, step: PlanStepOf['parallel'], working: Working): undefined {
  return conclude(walk, step, working, `its ${step.branches.length} branches have ended`);
}
