/**
 * The vocabulary between the interpreter and its driver.
 *
 * E1  Everything here is plain JSON: it survives a store, continue-as-new and comparison.
 * E2  The interpreter never acts. It answers an effect; the driver performs it and replies.
 * E3  A failed step is a reply, never an exception.
 */

import type { StepId } from '../cacao/ids.ts';

/** Something the engine wants done. `deadlineMs` is the earliest end of all the step and the frames around it allow. */
export type Effect =
  /** Perform an action step. */
  | (StepEffect & { readonly kind: 'run' })
  /** Put question number `question` (from 0) of a manual step to a person. */
  | (StepEffect & { readonly kind: 'ask'; readonly question: number })
  /** Run another stored playbook. */
  | (StepEffect & { readonly kind: 'child' })
  /** Walk these branches side by side; `scope` are the steps around them, outermost first. */
  | (StepEffect & {
      readonly kind: 'fork';
      readonly branches: readonly StepId[];
      readonly scope: readonly StepId[];
    })
  /** Wait; 0 means: only let others have a turn. */
  | { readonly kind: 'sleep'; readonly forMs: number }
  | { readonly kind: 'finish'; readonly outcome: WalkOutcome };

export type StepEffect = {
  readonly step: StepId;
  /** Names this invocation of the step within its walk. */
  readonly invocation: number;
  readonly startedMs: number;
  readonly deadlineMs?: number;
};

/** How a walk ended. A forked walk hands its failure to the parallel step that forked it. */
export type WalkOutcome = {
  readonly status: 'successfully_executed' | 'exception_condition_error' | FailureStatus;
  /** Sentences for the report, first failure first; empty on success. */
  readonly errors: readonly string[];
};

export type FailureStatus = 'failed' | 'server_side_error' | 'client_side_error' | 'timeout_error';

export type StepFailure = { readonly status: FailureStatus; readonly error: string };

/** What came of the effect, with the world as the interpreter may see it. */
export type Reply = World &
  (
    | { readonly kind: 'begun' }
    /** To run, ask (its last question or a failed one), child and fork. */
    | { readonly kind: 'done'; readonly failure?: StepFailure }
    | { readonly kind: 'slept' }
    /** An operator cancelled the execution; `reason` is a sentence for the report. */
    | { readonly kind: 'cancelled'; readonly reason: string }
  );

export type World = {
  /** Time of the reply, milliseconds since the epoch. */
  readonly atMs: number;
  /** The variables of the walk after the effect's outputs were merged; conditions and switches read them. */
  readonly variables: TestedVariables;
};

export type TestedVariables = {
  readonly [name: string]: { readonly type: string; readonly value?: string | null };
};

/** Where a walk is: a stack of frames, outermost first. The last one is being walked. */
export type WalkState = {
  readonly frames: readonly Frame[];
  /** How many step invocations this walk has begun; numbers them. */
  readonly invocations: number;
  /** Failures no branch handled, first one first. The exception branch has run when there is one. */
  readonly errors: readonly string[];
};

/** One level of nesting. `cursor` is absent once the branch has ended. */
export type Frame = {
  readonly kind: 'workflow' | 'exception' | 'fork' | 'branch';
  readonly cursor?: StepId;
  readonly stage: Stage;
  /** When the frame must be over: the timeout of the step it is a branch of. */
  readonly deadlineMs?: number;
  /** Only on the root of a forked walk: the steps around the fork, outermost first. */
  readonly scope?: readonly StepId[];
};

/** What the step under the cursor is doing. */
export type Stage =
  | { readonly at: 'entering' }
  /** Its delay is being slept. */
  | { readonly at: 'delayed'; readonly untilMs: number }
  /** `round` counts turns of a while, branches of a sequential parallel, questions of a manual step. */
  | {
      readonly at: 'working';
      readonly invocation: number;
      readonly startedMs: number;
      readonly round: number;
      readonly deadlineMs?: number;
    };

/** What the report must show of steps that have no activity of their own. */
export type Note = {
  readonly step: StepId;
  /** The steps around it, outermost first, and itself: whose step-level variables it sees. */
  readonly scope: readonly StepId[];
  readonly invocation: number;
  readonly startedMs: number;
  readonly status: 'ongoing' | 'successfully_executed' | FailureStatus;
  readonly text: string;
  readonly error?: string;
};

/** One turn of the interpreter. */
export type Turn = {
  readonly state: WalkState;
  readonly effect: Effect;
  readonly notes: readonly Note[];
};
