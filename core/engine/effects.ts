/**
 * The vocabulary between the interpreter and its driver.
 *
 * E1  Everything here is plain JSON: it survives a store, continue-as-new and comparison.
 * E2  The interpreter never acts. It answers an effect; the driver performs it and replies.
 * E3  A failed step is a reply, never an exception.
 */

import type { StepId } from '../cacao/ids.ts';

/** Something the engine wants done. */
export type Effect =
  /** Perform an action step. `deadlineMs` is the earliest end of the frames around it, if any has one. */
  | { readonly kind: 'run'; readonly step: StepId; readonly invocation: string; readonly deadlineMs?: number }
  /** Put question number `question` of a manual step to a person. */
  | { readonly kind: 'ask'; readonly step: StepId; readonly invocation: string; readonly question: number; readonly deadlineMs?: number }
  /** Wait; 0 means: only let others have a turn. */
  | { readonly kind: 'sleep'; readonly forMs: number }
  /** Run another stored playbook. */
  | { readonly kind: 'child'; readonly step: StepId; readonly invocation: string; readonly deadlineMs?: number }
  /** Walk these branches side by side. */
  | { readonly kind: 'fork'; readonly step: StepId; readonly invocation: string; readonly branches: readonly StepId[]; readonly deadlineMs?: number }
  | { readonly kind: 'finish'; readonly outcome: WalkOutcome };

/** How a walk ended. A branch walk passes its failure to the parallel step that forked it. */
export type WalkOutcome = {
  readonly status: 'successfully_executed' | 'exception_condition_error' | 'failed' | 'timeout_error';
  /** Sentences for the report, first failure first; empty on success. */
  readonly errors: readonly string[];
  readonly cancelled?: true;
};

export type StepFailure = {
  readonly status: 'failed' | 'server_side_error' | 'client_side_error' | 'timeout_error';
  readonly error: string;
};

/** What came of the effect, with the world as the interpreter may see it. */
export type Reply = World &
  (
    | { readonly kind: 'begun' }
    | { readonly kind: 'ran'; readonly failure?: StepFailure }
    | { readonly kind: 'answered'; readonly failure?: StepFailure }
    | { readonly kind: 'slept' }
    | { readonly kind: 'returned'; readonly failure?: StepFailure }
    | { readonly kind: 'joined'; readonly failure?: StepFailure }
    | { readonly kind: 'cancelled' }
  );

export type World = {
  /** Time of the reply, milliseconds since the epoch. */
  readonly atMs: number;
  /** The variables of the walk after the effect's outputs were merged, for conditions and switches. */
  readonly variables: { readonly [name: string]: { readonly type: string; readonly value?: string } };
};

/** Where a walk is: a stack of frames, outermost first. The last one is being walked. */
export type WalkState = {
  readonly frames: readonly Frame[];
  /** How many step invocations this walk has begun; numbers them. */
  readonly invocations: number;
  /** The workflow_exception branch runs at most once per execution. */
  readonly exceptionUsed: boolean;
  /** Errors no branch handled, first one first; they end up in the report. */
  readonly errors: readonly string[];
};

/** One level of nesting. `cursor` is the step it stands on, undefined once its branch has ended. */
export type Frame = {
  readonly cursor: StepId | undefined;
  readonly on: FrameKind;
  /** What the step under the cursor is doing. */
  readonly stage: Stage;
};

export type FrameKind =
  | { readonly kind: 'workflow' }
  | { readonly kind: 'exception' }
  /** The root of a forked walk; `scope` are the steps around the fork, outermost first. */
  | { readonly kind: 'fork-branch'; readonly scope: readonly StepId[]; readonly deadlineMs?: number }
  /** A branch below the step under the cursor of the frame beneath. */
  | { readonly kind: 'branch'; readonly of: StepId; readonly deadlineMs?: number };

/**
 * entering: nothing done yet; delayed: its delay is being slept; working: begun under this invocation.
 * `round` counts turns of a while, branches of a sequential parallel and questions of a manual step.
 */
export type Stage =
  | { readonly at: 'entering' }
  | { readonly at: 'delayed' }
  | { readonly at: 'working'; readonly invocation: string; readonly round: number; readonly deadlineMs?: number };

/** What the report must show of a step that has no activity of its own. */
export type Note = {
  readonly step: StepId;
  readonly invocation: string;
  readonly atMs: number;
  readonly status: 'ongoing' | 'successfully_executed' | StepFailure['status'];
  readonly text: string;
  readonly error?: string;
};

/** One turn of the interpreter. */
export type Turn = {
  readonly state: WalkState;
  readonly effect: Effect;
  readonly notes: readonly Note[];
};
