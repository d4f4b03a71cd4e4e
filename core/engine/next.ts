/**
 * The interpreter: a pure reducer over serialisable state. Given the plan, where the walk is, and what
 * came of the last effect, it answers where the walk is now and what it wants done next.
 */

import type { StepId } from '../cacao/ids.ts';
import type { Effect, Frame, Reply, Turn, WalkState } from './effects.ts';
import { type Guards, guards, type Plan, type PlanStep } from './plan.ts';
import { handlerOf } from './steps/handlers.ts';
import { Walk } from './walk.ts';

/** The state of a walk that has not begun. The deadline bounds the whole walk (a child's step timeout). */
export function beginWorkflow(plan: Plan, deadlineMs?: number): WalkState {
  return beginAt({ kind: 'workflow', cursor: plan.start, stage: entering }, deadlineMs);
}

/** The state of a branch that is walked side by side with others. */
export function beginFork(start: StepId, scope: readonly StepId[], deadlineMs?: number): WalkState {
  return beginAt({ kind: 'fork', cursor: start, stage: entering, scope }, deadlineMs);
}

/** Takes the reply to the last effect; total for every state it has itself produced. */
export function next(plan: Plan, state: WalkState, reply: Reply, limits: Guards = guards): Turn {
  const walk = new Walk(plan, state, reply, limits);
  let effect = take(walk, reply);
  for (let moves = 0; effect === undefined; moves += 1) {
    if (walk.outcome !== undefined) effect = { kind: 'finish', outcome: walk.outcome };
    else if (moves === limits.movesPerTurn) effect = { kind: 'sleep', forMs: 0 };
    else effect = move(walk);
  }
  return { state: walk.state(), effect, notes: walk.notes };
}

const entering = { at: 'entering' } as const;

function beginAt(frame: Frame, deadlineMs: number | undefined): WalkState {
  const root = deadlineMs === undefined ? frame : { ...frame, deadlineMs };
  return { frames: [root], invocations: 0, errors: [] };
}

/** Hands the reply to the step that waits for it. */
function take(walk: Walk, reply: Reply): Effect | undefined {
  if (reply.kind === 'cancelled') {
    walk.stop('failed', reply.reason);
    return undefined;
  }
  const { cursor, stage } = walk.top();
  if (cursor === undefined || reply.kind === 'begun') return undefined;
  const step = walk.step(cursor);
  if (reply.kind === 'slept') {
    if (stage.at !== 'delayed' || expire(walk)) return undefined;
    return begin(walk, step);
  }
  if (stage.at !== 'working') return undefined;
  // A step that ended in time counts as it ended, even when the frame around it has just expired.
  return handlerOf(step).replied(walk, step, stage, reply.failure);
}

/** One move: leave an ended branch, or enter the step under the cursor. */
function move(walk: Walk): Effect | undefined {
  if (expire(walk)) return undefined;
  const { cursor, stage } = walk.top();
  if (cursor === undefined) return leaveBranch(walk);
  const step = walk.step(cursor);
  if (stage.at === 'entering' && step.delayMs > 0) return delay(walk, step);
  return begin(walk, step);
}

function begin(walk: Walk, step: PlanStep): Effect | undefined {
  return handlerOf(step).enter(walk, step, walk.startWork(step));
}

function delay(walk: Walk, step: PlanStep): Effect {
  const until = walk.world.atMs + step.delayMs;
  const untilMs = Math.min(until, walk.deadlineMs() ?? until);
  walk.replaceTop({ stage: { at: 'delayed', untilMs } });
  return { kind: 'sleep', forMs: Math.max(1, untilMs - walk.world.atMs) };
}

function leaveBranch(walk: Walk): Effect | undefined {
  if (walk.top().kind !== 'branch') {
    walk.finish();
    return undefined;
  }
  walk.popFrame();
  const { step, working } = walk.branching();
  return handlerOf(step).replied(walk, step, working, undefined);
}

/** Fails the step whose branch has outlived it; true when there was one. */
function expire(walk: Walk): boolean {
  const index = walk.expiredFrame();
  if (index === -1) return false;
  if (index === 0) {
    walk.stop('timeout_error', 'The time of the playbook-action or parallel step is up.');
    return true;
  }
  walk.abandonAbove(index - 1, 'timeout_error', 'The time of the step around it is up.');
  const { step, failure } = walk.noteTimedOut();
  walk.fail(step, failure);
  return true;
}
