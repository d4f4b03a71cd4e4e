/** A manual command waits in the store for whoever answers first; the store is the truth. */

import type { PlaybookId, StepId } from '../cacao/ids.ts';
import type { AgentTarget } from '../cacao/playbook.ts';
import type { ExecutionId, WalkId } from './ids.ts';
import type { Variables } from './run.ts';

export type ManualAnswer = {
  readonly success: boolean;
  /** Values for out_args, by variable name. */
  readonly values: { readonly [name: string]: string };
  /** `operator`, or the caller's name when authentication is on. */
  readonly answeredBy: string;
  readonly answeredMs: number;
};

/** pending -> answered | expired, once; the walk that asked removes the record when it consumes it. */
export type ManualState =
  | { readonly kind: 'pending' }
  | { readonly kind: 'answered'; readonly answer: ManualAnswer }
  | { readonly kind: 'expired' };

/** Why a command does not wait any more; `withdrawn` with its execution. */
export type ManualEnding = 'answered' | 'expired' | 'withdrawn';

/** The command a turn has done with. */
export type ConsumedCommand = Pick<ManualCommand, 'stepId' | 'turn'> & {
  readonly ending?: ManualEnding;
};

export type ManualCommand = {
  readonly executionId: ExecutionId;
  readonly stepId: StepId;
  readonly playbookId: PlaybookId;
  readonly walkId: WalkId;
  /** Turn of the walk that asked; part of the name of the event that wakes it. */
  readonly turn: number;
  readonly description: string;
  readonly command: string;
  readonly commandIsBase64: boolean;
  readonly targets: { readonly [targetId: string]: AgentTarget };
  readonly outArgs: Variables;
  readonly openedMs: number;
  readonly deadlineMs: number;
  readonly state: ManualState;
};
