/**
 * Gives up a walk whose turn fails again and again although the store answers: a defect of ours. Better a
 * failed execution that says so than one that is tried for ever.
 */

import type { WalkOutcome } from '../../engine/effects.ts';
import { type ExecutionId, mainWalk, type WalkId } from '../ids.ts';
import type { StepRecord } from '../run.ts';
import { endedRun } from '../transition.ts';
import type { Workbench } from '../workbench.ts';
import { type Order, orderFor, type Place } from './order.ts';
import { isOf } from './step-record.ts';
import { tellCommitted } from './tell-committed.ts';

export async function abandon(bench: Workbench, place: Place): Promise<Order> {
  const open = await bench.stores.journal.open(place.execution, place.walk);
  if (open === undefined) return { do: 'finish', status: 'failed' };
  const { run, walk } = open;
  const nowMs = bench.clock.now();
  if (walk.turn !== place.turn || walk.effect.kind === 'finish') {
    return orderFor(place.execution, walk, nowMs);
  }
  const outcome: WalkOutcome = {
    status: 'server_side_error',
    errors: ['The service failed while executing the playbook; its log says why.'],
  };
  const { memo: _past, ...kept } = walk;
  const ended = { ...kept, turn: walk.turn + 1, effect: { kind: 'finish', outcome } as const };
  const end = walk.walkId === mainWalk ? endedRun(run.status, outcome, nowMs) : undefined;
  const asked = walk.effect.kind === 'ask' ? walk.effect.step : undefined;
  const commit = {
    executionId: run.executionId,
    walkId: walk.walkId,
    fromTurn: walk.turn,
    walk: ended,
    variables: {},
    steps: await leftOpen(bench, run.executionId, walk.walkId, outcome.errors, nowMs),
    ...(end === undefined ? {} : { run: end }),
    ...(asked === undefined ? {} : { consumed: { stepId: asked, turn: walk.turn } }),
  };
  // Somebody else took the turn after all: then nothing was given up, and the driver asks again.
  if ((await bench.stores.journal.commit(commit)) === 'stale')
    return { do: 'turn', turn: walk.turn };
  tellCommitted(bench, run, commit);
  return { do: 'finish', status: outcome.status };
}

/** The steps this walk, or one it forked, has begun and will never end itself. */
async function leftOpen(
  bench: Workbench,
  id: ExecutionId,
  walkId: WalkId,
  errors: readonly string[],
  endedMs: number,
): Promise<readonly StepRecord[]> {
  const steps = await bench.stores.journal.steps(id);
  return steps
    .filter(({ record }) => record.status === 'ongoing' && isOf(walkId, record))
    .map(({ record }) => ({
      ...record,
      status: 'server_side_error',
      statusText: 'the step was given up',
      errors,
      endedMs,
    }));
}
