/**
 * The slice of a playbook that control flow needs. Compiled once when a run is triggered and pinned
 * with it: neither a later PUT nor a later release of the compiler changes a running execution.
 */

import type { StepId } from '../cacao/ids.ts';
import type { TestedVariables } from './effects.ts';

export type Plan = {
  readonly start: StepId;
  readonly exception?: StepId;
  /** Whether branches of a parallel step run one after the other or side by side. */
  readonly parallel: 'sequential' | 'concurrent';
  readonly steps: { readonly [id: StepId]: PlanStep };
};

export type PlanStep = PlanStepOf[keyof PlanStepOf];
export type StepKind = keyof PlanStepOf;

export type PlanStepOf = {
  start: StepBase & { readonly type: 'start' };
  end: StepBase & { readonly type: 'end' };
  /** `questions`: how many manual commands (command times target) it puts to a person; 0 runs by itself. */
  action: StepBase & { readonly type: 'action'; readonly questions: number };
  'if-condition': StepBase & {
    readonly type: 'if-condition';
    readonly condition: string;
    readonly onTrue: StepId;
    readonly onFalse?: StepId;
  };
  'while-condition': StepBase & {
    readonly type: 'while-condition';
    readonly condition: string;
    readonly onTrue: StepId;
  };
  'switch-condition': StepBase & {
    readonly type: 'switch-condition';
    readonly subject: string;
    readonly cases: { readonly [value: string]: StepId };
  };
  parallel: StepBase & { readonly type: 'parallel'; readonly branches: readonly StepId[] };
  'playbook-action': StepBase & { readonly type: 'playbook-action' };
};

type StepBase = {
  readonly id: StepId;
  readonly delayMs: number;
  /** Bounds the step from the end of its delay, branches included. */
  readonly timeoutMs?: number;
  /** on_success, else on_completion; absent: the branch ends here. */
  readonly onSuccess?: StepId;
  readonly onFailure?: StepId;
  /** Step-level variables; conditions of this step and of its branches see them. */
  readonly variables?: TestedVariables;
};

/** Guards against playbooks that never end (settable, because tests want small ones). */
export type Guards = {
  /** Turns one invocation of a while may take. */
  readonly loopTurns: number;
  /** Moves over control steps before others get a turn. */
  readonly movesPerTurn: number;
};

export const guards: Guards = { loopTurns: 10_000, movesPerTurn: 500 };
