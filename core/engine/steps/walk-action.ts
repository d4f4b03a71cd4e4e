import type { Effect } from '../effects.ts';
import type { PlanStepOf } from '../plan.ts';
import type { Walk, Working } from '../walk.ts';
import { questionEffect, stepEffect } from './step-effect.ts';
import type { StepHandler } from './step-handler.ts';

/**
 * Either one effect that runs all commands, or one question after the other to a person. The step is
 * reported by whoever performs it, so nothing is noted here.
 */
export const walkAction: StepHandler<PlanStepOf['action']> = {
  enter(walk, step, working) {
    if (step.questions === 0) return { kind: 'run', ...stepEffect(walk, step, working) };
    return ask(walk, step, working);
  },
  replied(walk, step, working, failure) {
    if (failure !== undefined) {
      walk.fail(step, failure);
      return undefined;
    }
    if (working.round + 1 < step.questions) return ask(walk, step, walk.nextRound(working));
    walk.succeed(step);
    return undefined;
  },
};

/** The step's own timeout is the time for each question, so only the frames around it bound it. */
function ask(walk: Walk, step: PlanStepOf['action'], working: Working): Effect {
  return { kind: 'ask', question: working.round, ...questionEffect(walk, step, working) };
}
