/** The view a turn has of its run, and the same view after the turn's outputs were merged. */

import { authenticationDefinitions } from '../cacao/definitions.ts';
import { interpolate } from '../cacao/interpolate.ts';
import type { Variables } from '../cacao/playbook.ts';
import { lookupIn } from '../cacao/variables.ts';
import type { WalkState } from '../engine/effects.ts';
import { scopeOf } from '../engine/frames.ts';
import type { OpenWalk } from '../ports/run-journal.ts';
import type { Pinned } from './pinned.ts';
import { redactor, secretsOf } from './redaction.ts';
import type { WalkMemo } from './run.ts';
import { visibleVariables } from './scope.ts';
import type { TurnContext } from './settled.ts';

export function turnContext(pinned: Pinned, open: OpenWalk): TurnContext {
  const visible = visibleVariables(pinned.playbook, scopeOf(open.walk.state), open.variables);
  const lookup = lookupIn(visible);
  const secrets = secretsOf(authenticationDefinitions(pinned.playbook), (text) =>
    interpolate(text, lookup),
  );
  return { ...open, pinned, visible, redact: redactor(secrets) };
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
