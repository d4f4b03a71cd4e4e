import { interpolate } from '../../cacao/interpolate.ts';
import type { PlanStepOf } from '../plan.ts';
import { conclude } from './branching.ts';
import type { StepHandler } from './step-handler.ts';

/** Walks the case named by the subject's value, else `default`, else nothing. */
export const walkSwitch: StepHandler<PlanStepOf['switch-condition']> = {
  enter(walk, step, working) {
    const variables = walk.variables();
    const value = interpolate(step.subject, (name) =>
      Object.hasOwn(variables, name) ? (variables[name]?.value ?? '') : undefined,
    );
    const chosen = Object.hasOwn(step.cases, value) ? value : 'default';
    const branch = Object.hasOwn(step.cases, chosen) ? step.cases[chosen] : undefined;
    if (branch === undefined) return conclude(walk, step, working, 'no case matches');
    const text = chosen === value ? 'a case matches' : 'no case matches, the default is taken';
    walk.note(step.id, working, 'ongoing', text);
    walk.pushBranch(branch, working);
    return undefined;
  },
  replied: (walk, step, working) => conclude(walk, step, working, 'the chosen case has ended'),
};
