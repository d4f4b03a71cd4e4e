/** What came of the effect a walk stood at, before the interpreter is asked how to go on. */

import type { StepFailure } from '../../engine/effects.ts';
import type { OpenWalk } from '../../ports/run-journal.ts';
import type { WalkId } from '../ids.ts';
import type { ConsumedCommand } from '../manual-command.ts';
import type { Pinned } from '../pinned.ts';
import type { Redact } from '../redaction.ts';
import type { StepRecord, Variables, WalkMemo } from '../run.ts';
import type { Order } from './order.ts';

/** One turn's view of its run. */
export type TurnContext = OpenWalk & {
  readonly pinned: Pinned;
  /** What the step under the cursor sees. */
  readonly visible: Variables;
  readonly redact: Redact;
};

/** The turn is over: `order` says what to do meanwhile. Nothing was committed. */
export type NotYet = { readonly order: Order };

export type Settled = {
  readonly failure?: StepFailure;
  /** Set when the execution was cancelled: the walk ends whatever the playbook says. */
  readonly cancelled?: string;
  /** For the scope of the walk. */
  readonly outputs: Variables;
  readonly records: readonly StepRecord[];
  readonly consumed?: ConsumedCommand;
  readonly joined?: readonly WalkId[];
  /** Carried to the next turn, if that is about the same step. */
  readonly memo?: WalkMemo;
};

export const nothingHappened: Settled = { outputs: {}, records: [] };
