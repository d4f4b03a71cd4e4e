/** The table of step types. A new type is one file, one row here and one member of PlanStepOf. */

import type { PlanStep, PlanStepOf, StepKind } from '../plan.ts';
import type { StepHandler } from './step-handler.ts';
import { walkAction } from './walk-action.ts';
import { walkEnd } from './walk-end.ts';
import { walkIf } from './walk-if.ts';
import { walkParallel } from './walk-parallel.ts';
import { walkPlaybook } from './walk-playbook.ts';
import { walkStart } from './walk-start.ts';
import { walkSwitch } from './walk-switch.ts';
import { walkWhile } from './walk-while.ts';

const handlers: { readonly [Kind in StepKind]: StepHandler<PlanStepOf[Kind]> } = {
  start: walkStart,
  end: walkEnd,
  action: walkAction,
  'if-condition': walkIf,
  'while-condition': walkWhile,
  'switch-condition': walkSwitch,
  parallel: walkParallel,
  'playbook-action': walkPlaybook,
};

/** The cast is what the mapped type above proves row by row; TypeScript cannot see it through the index. */
export function handlerOf<Step extends PlanStep>(step: Step): StepHandler<Step> {
  return handlers[step.type] as StepHandler<Step>;
}
