/** The view a turn has of its run, and the same view after the turn's outputs were merged. */

import type { Variables } from '../../cacao/playbook.ts';
import type { WalkState } from '../../engine/effects.ts';
import { scopeOf } from '../../engine/frames.ts';
import type { OpenWalk } from '../../ports/run-journal.ts';
import type { Pinned } from '../pinned.ts';
import { type Redact, redactorOf } from '../redaction.ts';
import type { WalkMemo } from '../run.ts';
import { visibleVariables } from '../scope.ts';
import type { TurnContext } from './settled.ts';

export function turnContext(pinned: Pinned, open: OpenWalk): TurnContext {
  const visible = visibleVariables(pinned.playbook, scopeOf(open.walk.state), open.variables);
  return { ...open, pinned, visible, redact: redactorOf(pinned.secrets, visible) };
}

/** Hides the secrets known before the turn, those its outputs have become, and `more`. */
export function redactAlso(
  { pinned, visible, redact }: TurnContext,
  outputs: Variables,
  more: readonly string[] = [],
): Redact {
  const after = redactorOf([...pinned.secrets, ...more], { ...visible, ...outputs });
  return (text) => after(redact(text));
}

/** The memo of the last turn is passed on only if it was about the same step. */
export function atVariables(
  before: TurnContext,
  variables: Variables,
  state: WalkState,
  memo: WalkMemo | undefined,
): TurnContext {
  const { memo: _past, ...walk } = before.walk;
  return turnContext(before.pinned, {
    run: before.run,
    variables,
    walk: { ...walk, state, ...(memo === undefined ? {} : { memo }) },
  });
}
