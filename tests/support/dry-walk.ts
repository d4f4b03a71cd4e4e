/** Walks a plan with the bare interpreter: a script replies to effects, a clock is moved by hand. */

import type { StepId } from '../../core/cacao/ids.ts';
import { viewPlaybook } from '../../core/cacao/playbook.ts';
import { compilePlan } from '../../core/engine/compile.ts';
import type {
  Effect,
  Note,
  Reply,
  StepFailure,
  TestedVariables,
  Turn,
  WalkOutcome,
  WalkState,
} from '../../core/engine/effects.ts';
import { beginFork, beginWorkflow, next } from '../../core/engine/next.ts';
import { type Guards, guards, type Plan } from '../../core/engine/plan.ts';
import type { JsonObject } from '../../core/json.ts';
import { agentIds } from './a-playbook.ts';

/** The effects a script replies to; the walker itself sleeps and forks. */
export type Scripted = Extract<Effect, { readonly kind: 'run' | 'ask' | 'child' }>;

export type Did = {
  readonly failure?: StepFailure;
  readonly outputs?: { readonly [name: string]: string };
  /** The clock moves by so much before the reply. */
  readonly tookMs?: number;
};

export type Script = (effect: Scripted, walk: DryWalk, state: WalkState) => Did;

/** Shared by a walk and the branches it forks. */
export type DryClock = { nowMs: number };

export type DryWalk = {
  readonly plan: Plan;
  readonly clock: DryClock;
  readonly limits: Guards;
  variables: TestedVariables;
  readonly effects: Effect[];
  readonly notes: Note[];
  /** Tells the walks apart that share a record. */
  readonly id: string;
  /** What became of every invocation of a step, in the order they were begun. */
  readonly record: Map<string, { readonly step: StepId; readonly status: string }>;
  /** What happens to a turn before the walk goes on with it: nothing, or a trip through a store. */
  readonly carry: (turn: Turn) => Turn;
  readonly onTurn: (turn: Turn) => void;
};

export const nothingDone: Script = () => ({});

export function planOf(playbook: JsonObject, parallel: Plan['parallel'] = 'sequential'): Plan {
  return compilePlan(viewPlaybook(playbook), {
    parallel,
    isManual: (agent) => agent === agentIds.person,
  });
}

export function dryWalk(plan: Plan, more: Partial<DryWalk> = {}): DryWalk {
  return {
    plan,
    clock: { nowMs: 0 },
    limits: guards,
    variables: {},
    effects: [],
    notes: [],
    id: 'w',
    record: new Map(),
    carry: (turn) => turn,
    onTurn: () => {},
    ...more,
  };
}

/** To the end of the workflow. */
export function walkToEnd(walk: DryWalk, script: Script = nothingDone, deadlineMs?: number) {
  return walkFrom(walk, beginWorkflow(walk.plan, deadlineMs), script, { kind: 'begun' });
}

type Event =
  | { readonly kind: 'begun' | 'slept' }
  | { readonly kind: 'done'; readonly failure?: StepFailure }
  | { readonly kind: 'cancelled'; readonly reason: string };

/** From any state the interpreter has produced, with what came of its effect. */
export function walkFrom(
  walk: DryWalk,
  from: WalkState,
  script: Script,
  first: Event,
): WalkOutcome {
  let turn = step(walk, from, first);
  for (let turns = 0; turn.effect.kind !== 'finish'; turns += 1) {
    if (turns > 100_000) throw new Error('The walk does not end.');
    const { state, effect } = turn;
    const done = perform(walk, effect, script, state);
    note(walk, effect, done);
    turn = step(walk, state, done);
  }
  return turn.effect.outcome;
}

function step(walk: DryWalk, state: WalkState, event: Event): Turn {
  const world = { atMs: walk.clock.nowMs, variables: walk.variables };
  const turn = walk.carry(next(walk.plan, state, { ...event, ...world } as Reply, walk.limits));
  walk.onTurn(turn);
  const seen = [...turn.notes];
  if ('invocation' in turn.effect) {
    seen.push({ ...turn.effect, scope: [], status: 'ongoing', text: '' });
  }
  for (const { step: id, invocation, status } of seen.sort((a, b) => a.invocation - b.invocation)) {
    walk.record.set(`${walk.id}#${invocation}`, { step: id, status });
  }
  walk.notes.push(...turn.notes);
  walk.effects.push(turn.effect);
  return turn;
}

/** Nobody but who performs them tells how actions end. */
function note(walk: DryWalk, effect: Effect, done: Event): void {
  if (done.kind !== 'done' || (effect.kind !== 'run' && effect.kind !== 'ask')) return;
  const isLast = effect.kind === 'run' || isLastQuestion(walk.plan, effect);
  const status = done.failure?.status ?? (isLast ? 'successfully_executed' : 'ongoing');
  walk.record.set(`${walk.id}#${effect.invocation}`, { step: effect.step, status });
}

/** Whether the step is over when this question is answered well. */
export function isLastQuestion(
  plan: Plan,
  effect: Extract<Effect, { readonly kind: 'ask' }>,
): boolean {
  const step = plan.steps[effect.step];
  return step?.type === 'action' && effect.question + 1 === step.questions;
}

/** Does what the effect asks for and answers what came of it. */
function perform(
  walk: DryWalk,
  effect: Exclude<Effect, { readonly kind: 'finish' }>,
  script: Script,
  state: WalkState,
): Event {
  if (effect.kind === 'sleep') {
    walk.clock.nowMs += effect.forMs;
    return { kind: 'slept' };
  }
  if (effect.kind === 'fork') return forked(walk, effect, script);
  const { failure, outputs = {}, tookMs = 0 } = script(effect, walk, state);
  walk.clock.nowMs += tookMs;
  if (failure !== undefined) return { kind: 'done', failure };
  walk.variables = merged(walk.variables, outputs);
  return { kind: 'done' };
}

/** Branches do not see each other; what they write is merged in branch order. */
function forked(
  walk: DryWalk,
  effect: Extract<Effect, { readonly kind: 'fork' }>,
  script: Script,
): Event {
  const before = walk.variables;
  let failure: StepFailure | undefined;
  for (const [index, start] of effect.branches.entries()) {
    const id = `${walk.id}.${effect.invocation}-${index}`;
    const branch = { ...walk, id, variables: before };
    const state = beginFork(start, effect.scope, effect.deadlineMs);
    const { status, errors } = walkFrom(branch, state, script, { kind: 'begun' });
    walk.variables = { ...walk.variables, ...changed(before, branch.variables) };
    if (status === 'successfully_executed' || failure !== undefined) continue;
    failure = {
      status: status === 'exception_condition_error' ? 'failed' : status,
      error: errors.join(' '),
    };
  }
  return failure === undefined ? { kind: 'done' } : { kind: 'done', failure };
}

/** The variables after these values were written; a written variable is always a new object. */
export function merged(
  variables: TestedVariables,
  outputs: { readonly [name: string]: string },
): TestedVariables {
  const written = Object.entries(outputs).map(([name, value]) => [
    name,
    { ...(variables[name] ?? { type: 'string' }), value },
  ]);
  return { ...variables, ...Object.fromEntries(written) };
}

/** What was written since. */
export function changed(before: TestedVariables, after: TestedVariables): TestedVariables {
  return Object.fromEntries(Object.entries(after).filter(([name, it]) => before[name] !== it));
}
