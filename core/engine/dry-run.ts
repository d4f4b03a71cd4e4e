/**
 * Walks a plan without performing anything: what each step would answer comes from a script. Shows the
 * author of a playbook which way it takes.
 */

import type { StepId } from '../cacao/ids.ts';
import type { Variables } from '../cacao/playbook.ts';
import { filterOutputs, type OutputValues, outputVariables } from '../cacao/variables.ts';
import type { Note, Reply, StepFailure, WalkOutcome } from './effects.ts';
import { beginWorkflow, next } from './next.ts';
import type { Plan } from './plan.ts';

export type ScriptedAnswer = { readonly values: OutputValues; readonly failure?: StepFailure };

/** Per step its answers in order; the last one repeats. Steps without any succeed and return nothing. */
export type Script = { readonly [step: StepId]: readonly ScriptedAnswer[] };

export type DryRun = {
  readonly outcome: WalkOutcome;
  /** Every end of a step, in order. */
  readonly visited: readonly DryStep[];
  readonly variables: Variables;
};

export type DryStep = {
  readonly step: StepId;
  readonly status: Note['status'];
  readonly text: string;
  readonly error?: string;
};

const MOST_EFFECTS = 20_000;

/** `outArgs` names what a step hands back; time stands still except for delays. */
export function dryRun(
  plan: Plan,
  variables: Variables,
  script: Script,
  outArgs: (step: StepId) => readonly string[],
): DryRun {
  const sequential: Plan = { ...plan, parallel: 'sequential' };
  const visited: DryStep[] = [];
  const asked = new Map<StepId, number>();
  let scope = variables;
  let state = beginWorkflow(sequential);
  let reply: Reply = { kind: 'begun', atMs: 0, variables: scope };
  for (let effects = 0; effects < MOST_EFFECTS; effects += 1) {
    const turn = next(sequential, state, reply);
    state = turn.state;
    visited.push(...turn.notes.filter(({ status }) => status !== 'ongoing').map(shown));
    const { effect } = turn;
    if (effect.kind === 'finish') return { outcome: effect.outcome, visited, variables: scope };
    if (effect.kind === 'sleep') {
      reply = { kind: 'slept', atMs: reply.atMs + effect.forMs, variables: scope };
      continue;
    }
    const count = asked.get(effect.step) ?? 0;
    asked.set(effect.step, count + 1);
    const { values, failure } = answerOf(script, effect.step, count);
    if (failure === undefined) {
      scope = { ...scope, ...outputVariables(scope, filterOutputs(values, outArgs(effect.step))) };
    }
    if (effect.kind !== 'child') visited.push(performed(effect.step, failure));
    const done: Reply = { kind: 'done', atMs: reply.atMs, variables: scope };
    reply = failure === undefined ? done : { ...done, failure };
  }
  const errors = [`The dry run did not end within ${MOST_EFFECTS} steps.`];
  return { outcome: { status: 'failed', errors }, visited, variables: scope };
}

function answerOf(script: Script, step: StepId, count: number): ScriptedAnswer {
  const answers = Object.hasOwn(script, step) ? (script[step] ?? []) : [];
  return answers[Math.min(count, answers.length - 1)] ?? { values: {} };
}

function shown({ step, status, text, error }: Note): DryStep {
  return error === undefined ? { step, status, text } : { step, status, text, error };
}

function performed(step: StepId, failure: StepFailure | undefined): DryStep {
  if (failure === undefined) {
    return { step, status: 'successfully_executed', text: 'the step would be executed' };
  }
  return { step, status: failure.status, text: 'the step fails as scripted', error: failure.error };
}
