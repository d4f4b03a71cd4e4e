/**
 * What must be in the store before the driver performs an effect: the question an operator will see, the
 * child's run, the walks of the branches. What cannot be prepared is a failure of the step.
 */

import type { Effect, StepFailure } from '../../engine/effects.ts';
import { beginFork } from '../../engine/next.ts';
import type { Commit } from '../../ports/run-journal.ts';
import { branchWalk } from '../ids.ts';
import type { StepRecord, Unprepared, WalkMemo, WalkRecord } from '../run.ts';
import type { Workbench } from '../workbench.ts';
import { openQuestion } from './manual-question.ts';
import type { TurnContext } from './settled.ts';
import { prepareChild } from './start-child.ts';
import { ongoingRecord } from './step-record.ts';

export type Prepared = {
  readonly memo?: WalkMemo;
  readonly records: readonly StepRecord[];
  readonly parts: Pick<Commit, 'ask' | 'child' | 'walks'>;
};

/** `turn` is the number of the turn that will wait for the effect. */
export async function prepareEffect(
  bench: Workbench,
  context: TurnContext,
  effect: Effect,
  turn: number,
): Promise<Prepared | Unprepared> {
  switch (effect.kind) {
    case 'ask': {
      const question = openQuestion(bench, context, effect, turn);
      if ('error' in question) return unasked(context, effect, question, bench.clock.now());
      const { deadlineMs } = question.command;
      const memo = { ...context.walk.memo, askDeadlineMs: deadlineMs };
      return { memo, records: [question.record], parts: { ask: question.command } };
    }
    case 'child': {
      const child = await prepareChild(bench, context, effect);
      if ('error' in child) return { failure: child };
      const { executionId, playbookId } = child.run;
      return { memo: { child: { executionId, playbookId } }, records: [], parts: { child } };
    }
    case 'fork': {
      const walks = effect.branches.map(
        (start, index): WalkRecord => ({
          walkId: branchWalk(context.walk.walkId, turn, index),
          turn: 0,
          state: beginFork(start, effect.scope, effect.deadlineMs),
          effect: { kind: 'sleep', forMs: 0 },
          attempts: 0,
        }),
      );
      const branches = walks.map(({ walkId }) => walkId);
      return { memo: { branches }, records: [], parts: { walks } };
    }
    default:
      return { records: [], parts: {} };
  }
}

function unasked(
  { walk, pinned, visible, redact }: TurnContext,
  effect: Extract<Effect, { readonly kind: 'ask' }>,
  failure: StepFailure,
  endedMs: number,
): Unprepared {
  const { playbook } = pinned;
  const begun = ongoingRecord({
    walkId: walk.walkId,
    playbook,
    effect,
    variables: visible,
    redact,
  });
  const { status, error } = failure;
  const statusText = 'the step failed before it could be put to an operator';
  const errors = [redact(error)];
  const commandsB64 = walk.memo?.answered?.commandsB64 ?? [];
  const ended = { status, statusText, errors, endedMs, commandsB64, automated: false };
  return { failure, record: { ...begun, ...ended } };
}
