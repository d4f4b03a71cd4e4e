/**
 * What the product remembers of one execution: its header (Run), the place each of its walks has
 * reached (WalkRecord), and one StepRecord per invocation of a step. All plain JSON, times in
 * milliseconds since the epoch; the wire spelling lives in functions/http.
 */

import type { PlaybookId, StepId } from '../cacao/ids.ts';
import type { Variables } from '../cacao/playbook.ts';
import type { Effect, StepFailure, WalkState } from '../engine/effects.ts';
import type { ExecutionId, WalkId } from './ids.ts';

/** The status enum of the contract's execution report. */
export const statuses = [
  'successfully_executed',
  'failed',
  'ongoing',
  'server_side_error',
  'client_side_error',
  'timeout_error',
  'exception_condition_error',
] as const;
export type Status = (typeof statuses)[number];

export type { FailureStatus } from '../engine/effects.ts';

/** What an operator asked of a run; the walk obeys at its next turn. */
export type Control = 'go' | 'pause' | 'cancel';

export type Run = {
  readonly executionId: ExecutionId;
  readonly playbookId: PlaybookId;
  readonly name: string;
  readonly description: string;
  readonly status: Status;
  readonly statusText: string;
  readonly errors: readonly string[];
  readonly startedMs: number;
  readonly endedMs?: number;
  /** The playbook-action step this run was started by; absent for a triggered run. */
  readonly parent?: { readonly executionId: ExecutionId; readonly stepId: StepId };
  /** The ended execution this one was begun again from, and at which step. */
  readonly rerunOf?: { readonly executionId: ExecutionId; readonly stepId: StepId };
  /** 0 for a triggered run, one more for every playbook-action above it. */
  readonly depth: number;
  readonly parallel: 'sequential' | 'concurrent';
  readonly control: Control;
  /** Who triggered it: the caller's name, or undefined while authentication is off. */
  readonly caller?: string;
  /** Digest of the trigger request; tells a repeated request from another one with the same key. */
  readonly requestDigest?: string;
};

export type { Variables } from '../cacao/playbook.ts';

/** The place one walk has reached. `effect` is what the driver was told to do at this turn. */
export type WalkRecord = {
  readonly walkId: WalkId;
  readonly turn: number;
  readonly state: WalkState;
  readonly effect: Effect;
  /** How often the work of this turn was begun; more than one means it was interrupted. */
  readonly attempts: number;
  readonly memo?: WalkMemo;
};

/** Why an effect cannot be performed; `record` is there for steps nobody else reports. */
export type Unprepared = { readonly failure: StepFailure; readonly record?: StepRecord };

/** What a turn must remember beside its effect. Opaque to stores. */
export type WalkMemo = {
  /** The effect could not be prepared: the next turn fails its step with this. */
  readonly refused?: Unprepared;
  /** The execution a `child` effect started. */
  readonly child?: { readonly executionId: ExecutionId; readonly playbookId: PlaybookId };
  /** The walks a `fork` effect started, in branch order. */
  readonly branches?: readonly WalkId[];
  /** When the question of an `ask` effect expires. */
  readonly askDeadlineMs?: number;
  /** What the earlier questions of a manual step brought; given to the run only if all succeed. */
  readonly answered?: { readonly variables: Variables; readonly commandsB64: readonly string[] };
};

/** One invocation of one step. `invocation` is unique within the run and stable across retries. */
export type StepRecord = {
  readonly invocation: string;
  readonly stepId: StepId;
  readonly name: string;
  readonly description: string;
  readonly status: Status;
  readonly statusText: string;
  readonly errors: readonly string[];
  readonly startedMs: number;
  readonly endedMs?: number;
  /** `svc`, the fin's id, `operator`, or the operator's name. */
  readonly executedBy: string;
  /** The commands actually invoked, after substitution and redaction, base64. */
  readonly commandsB64: readonly string[];
  readonly variables: Variables;
  readonly automated: boolean;
  /** How often the service was interrupted while this step was in flight and began it again. */
  readonly interruptions: number;
  readonly child?: { readonly executionId: ExecutionId; readonly playbookId: PlaybookId };
};
