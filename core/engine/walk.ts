/**
 * The working copy of a walk during one turn: opened from a state, changed by the step handlers,
 * closed to a state again. Nothing outside one call of `next` ever holds one.
 *
 * W1  The top frame is the one being walked; a frame beneath it stands on the step whose branch it is.
 * W2  Every step that was noted as ongoing is noted as ended before its frame is left.
 * W3  A failure nobody handles climbs: own on_failure, then the on_failure of the steps around it, then
 *     workflow_exception (once), then the walk ends as failed.
 */

import type { StepId } from '../cacao/ids.ts';
import type {
  Frame,
  Note,
  Reply,
  StepFailure,
  TestedVariables,
  WalkOutcome,
  WalkState,
  World,
} from './effects.ts';
import { deadlineOf, isPast, scopeOf } from './frames.ts';
import type { Guards, Plan, PlanStep } from './plan.ts';

export type Working = {
  readonly invocation: number;
  readonly startedMs: number;
  readonly round: number;
  readonly deadlineMs?: number;
};

export class Walk {
  readonly plan: Plan;
  readonly world: World;
  readonly guards: Guards;
  readonly notes: Note[] = [];
  /** Set when the walk is over. */
  outcome: WalkOutcome | undefined;
  readonly #frames: Frame[];
  #invocations: number;
  #errors: readonly string[];

  constructor(plan: Plan, state: WalkState, reply: Reply, limits: Guards) {
    this.plan = plan;
    this.world = { atMs: reply.atMs, variables: reply.variables };
    this.guards = limits;
    this.#frames = [...state.frames];
    this.#invocations = state.invocations;
    this.#errors = state.errors;
  }

  state(): WalkState {
    return { frames: this.#frames, invocations: this.#invocations, errors: this.#errors };
  }

  top(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('The walk has no frame left.');
    return frame;
  }

  step(id: StepId): PlanStep {
    const step = this.plan.steps[id];
    if (step === undefined) throw new Error(`The plan has no step ${id}.`);
    return step;
  }

  /** The steps around the cursor, outermost first, the step under the cursor last. */
  scope(): readonly StepId[] {
    return scopeOf({ frames: this.#frames });
  }

  /** What a condition of the step under the cursor sees: step-level variables win over results. */
  variables(): TestedVariables {
    // Entries, because assigning a variable named __proto__ would lose it.
    const entries = this.scope().flatMap((id) =>
      Object.entries(this.plan.steps[id]?.variables ?? {}),
    );
    if (entries.length === 0) return this.world.variables;
    return Object.fromEntries([...Object.entries(this.world.variables), ...entries]);
  }

  /** The earliest deadline of the frames around the step under the cursor, and of `own` if given. */
  deadlineMs(own?: number): number | undefined {
    const all = [own, ...this.#frames.map((frame) => frame.deadlineMs)];
    const known = all.filter((deadline) => deadline !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  replaceTop(change: Partial<Frame>): void {
    this.#frames[this.#frames.length - 1] = { ...this.top(), ...change };
  }

  /** Gives the step under the cursor its invocation number and, if it has a timeout, its deadline. */
  startWork(step: PlanStep): Working {
    const working = {
      invocation: this.#invocations,
      startedMs: this.world.atMs,
      round: 0,
      ...(step.timeoutMs === undefined ? {} : { deadlineMs: this.world.atMs + step.timeoutMs }),
    };
    this.#invocations += 1;
    this.replaceTop({ stage: { at: 'working', ...working } });
    return working;
  }

  nextRound(working: Working): Working {
    const later = { ...working, round: working.round + 1 };
    this.replaceTop({ stage: { at: 'working', ...later } });
    return later;
  }

  /** Of the step under the cursor; call it before the cursor moves. */
  note(step: StepId, working: Working, status: Note['status'], text: string, error?: string): void {
    const { invocation, startedMs } = working;
    const note = { step, scope: this.scope(), invocation, startedMs, status, text };
    this.notes.push(error === undefined ? note : { ...note, error });
  }

  /** Walks a branch of the step under the cursor; the step goes on when the branch has ended. */
  pushBranch(start: StepId, working: Working): void {
    const deadline = working.deadlineMs === undefined ? {} : { deadlineMs: working.deadlineMs };
    this.#frames.push({ kind: 'branch', cursor: start, stage: { at: 'entering' }, ...deadline });
  }

  popFrame(): void {
    this.#frames.pop();
  }

  /** The step under the cursor succeeded; without a successor its branch ends. */
  succeed(step: PlanStep): void {
    this.#moveTo(step.onSuccess);
  }

  endBranch(): void {
    this.#moveTo(undefined);
  }

  /** The step under the cursor failed (W3). `step` was noted by the caller. */
  fail(step: PlanStep, failure: StepFailure): void {
    let failed = step;
    while (failed.onFailure === undefined) {
      if (this.top().kind !== 'branch') {
        this.#failWalk(step, failure);
        return;
      }
      const isLate = isPast(this.top().deadlineMs, this.world.atMs);
      this.#frames.pop();
      failed = isLate ? this.noteTimedOut().step : this.#noteBranchFailed(failure);
    }
    this.#moveTo(failed.onFailure);
  }

  /** The step whose branch was just left. */
  branching(): { readonly step: PlanStep; readonly working: Working } {
    const { cursor, stage } = this.top();
    if (cursor === undefined || stage.at !== 'working') throw new Error('A branch without a step.');
    return { step: this.step(cursor), working: stage };
  }

  /** The branch of the step under the cursor has outlived it. */
  noteTimedOut(): { readonly step: PlanStep; readonly failure: StepFailure } {
    const { step, working } = this.branching();
    const error = `The step exceeded ${step.timeoutMs} ms.`;
    this.note(step.id, working, 'timeout_error', 'the step timed out', error);
    return { step, failure: { status: 'timeout_error', error } };
  }

  /** Ends every step of the frames above `depth` without following their failure successors (W2). */
  abandonAbove(depth: number, status: StepFailure['status'], why: string): void {
    while (this.#frames.length > depth + 1) {
      this.#noteAbandoned(this.top(), status, why);
      this.#frames.pop();
    }
  }

  /** Index of the outermost frame whose time is up, or -1. */
  expiredFrame(): number {
    return this.#frames.findIndex((frame) => isPast(frame.deadlineMs, this.world.atMs));
  }

  /** The whole walk ends, whatever its playbook says about failures. */
  stop(status: StepFailure['status'], why: string): void {
    this.abandonAbove(0, 'failed', why);
    this.#noteAbandoned(this.top(), status, why);
    this.#errors = [...this.#errors, why];
    this.outcome = { status, errors: this.#errors };
  }

  finish(): void {
    const kind = this.top().kind;
    const status = kind === 'exception' ? 'exception_condition_error' : 'successfully_executed';
    this.outcome = { status, errors: this.#errors };
  }

  #moveTo(cursor: StepId | undefined): void {
    const { cursor: _left, ...frame } = this.top();
    this.#frames[this.#frames.length - 1] = {
      ...frame,
      ...(cursor === undefined ? {} : { cursor }),
      stage: { at: 'entering' },
    };
  }

  #failWalk(step: PlanStep, failure: StepFailure): void {
    this.#errors = [...this.#errors, `Step ${step.id} failed: ${failure.error}`];
    const { exception } = this.plan;
    if (exception !== undefined && this.top().kind === 'workflow') {
      this.#frames.splice(0, this.#frames.length, {
        kind: 'exception',
        cursor: exception,
        stage: { at: 'entering' },
        ...deadlineOf(this.top()),
      });
      return;
    }
    const status = this.top().kind === 'fork' ? failure.status : 'failed';
    this.outcome = { status, errors: this.#errors };
  }

  #noteBranchFailed(failure: StepFailure): PlanStep {
    const { step, working } = this.branching();
    this.note(step.id, working, 'failed', 'a branch of the step failed', failure.error);
    return step;
  }

  #noteAbandoned(frame: Frame, status: StepFailure['status'], why: string): void {
    if (frame.cursor === undefined || frame.stage.at !== 'working') return;
    this.note(frame.cursor, frame.stage, status, 'the step was abandoned', why);
  }
}
