/** Playbook -> Plan. Expects a playbook that passed validation: every reference leads somewhere. */

import { commandsOf } from '../cacao/definitions.ts';
import { stepIdOfKey } from '../cacao/ids.ts';
import type { Playbook, WorkflowStep } from '../cacao/playbook.ts';
import type { Plan, PlanStep } from './plan.ts';

export type CompileOptions = {
  readonly parallel: Plan['parallel'];
  /** Whether an agent definition is answered by people. */
  readonly isManual: (agentId: string) => boolean;
};

export function compilePlan(playbook: Playbook, options: CompileOptions): Plan {
  const steps = Object.entries(playbook.workflow).map(
    ([id, step]) => [id, compileStep(id, step, options)] as const,
  );
  const { workflow_exception: exception } = playbook;
  return {
    start: playbook.workflow_start,
    ...(exception === undefined ? {} : { exception }),
    parallel: options.parallel,
    steps: Object.fromEntries(steps),
  };
}

function compileStep(key: string, step: WorkflowStep, options: CompileOptions): PlanStep {
  const base = { id: stepIdOfKey(key), ...timing(step), ...successors(step), ...locals(step) };
  switch (step.type) {
    case 'start':
    case 'end':
    case 'playbook-action':
      return { ...base, type: step.type };
    case 'action':
    case 'single':
      return { ...base, type: 'action', questions: countQuestions(step, options) };
    case 'if-condition': {
      const onFalse = step.on_false === undefined ? {} : { onFalse: step.on_false };
      return {
        ...base,
        type: step.type,
        condition: step.condition,
        onTrue: step.on_true,
        ...onFalse,
      };
    }
    case 'while-condition':
      return { ...base, type: step.type, condition: step.condition, onTrue: step.on_true };
    case 'switch-condition':
      return { ...base, type: step.type, subject: step.switch, cases: step.cases };
    case 'parallel':
      return { ...base, type: step.type, branches: step.next_steps };
  }
}

/** A timeout of 0 or less means the same as none. */
function timing(step: WorkflowStep): Pick<PlanStep, 'delayMs' | 'timeoutMs'> {
  const { delay = 0, timeout = 0 } = step;
  return { delayMs: Math.max(0, delay), ...(timeout > 0 ? { timeoutMs: timeout } : {}) };
}

function successors(step: WorkflowStep): Pick<PlanStep, 'onSuccess' | 'onFailure'> {
  if (step.type === 'end') return {};
  const onSuccess = step.on_success ?? step.on_completion;
  return {
    ...(onSuccess === undefined ? {} : { onSuccess }),
    ...(step.on_failure === undefined ? {} : { onFailure: step.on_failure }),
  };
}

/** Step-level variables matter to the plan where conditions read them: in the steps that have branches. */
function locals(step: WorkflowStep): Pick<PlanStep, 'variables'> {
  const isAction = step.type === 'action' || step.type === 'single';
  if (isAction || step.step_variables === undefined) return {};
  return { variables: step.step_variables };
}

type Action = Extract<WorkflowStep, { readonly type: 'action' | 'single' }>;

/** Each command is put to the operator once per target; without targets, once. */
function countQuestions(step: Action, options: CompileOptions): number {
  if (step.agent === undefined || !options.isManual(step.agent)) return 0;
  return commandsOf(step).length * Math.max(1, step.targets?.length ?? 0);
}
