/** Asks the interpreter how to go on and gathers everything this turn changed into one commit. */

import type { Note, Reply, StepFailure, Turn, World } from '../engine/effects.ts';
import { next } from '../engine/next.ts';
import type { Commit } from '../ports/run-journal.ts';
import { mainWalk } from './ids.ts';
import { type Prepared, prepareEffect } from './prepare-effect.ts';
import type { StepRecord, WalkRecord } from './run.ts';
import type { Settled, TurnContext } from './settled.ts';
import { notedRecords } from './step-record.ts';
import { endedRun } from './transition.ts';
import { atVariables } from './turn-context.ts';
import type { Workbench } from './workbench.ts';

export async function takeTurn(
  bench: Workbench,
  before: TurnContext,
  settled: Settled,
): Promise<Commit> {
  const { run, walk } = before;
  const { outputs, consumed, joined } = settled;
  const variables = { ...before.variables, ...outputs };
  const world = { atMs: bench.clock.now(), variables };
  const step = await walkOn(bench, { before, settled, world });
  const standing: WalkRecord = {
    walkId: walk.walkId,
    turn: walk.turn + 1,
    state: step.turn.state,
    effect: step.turn.effect,
    attempts: 0,
    ...(step.prepared.memo === undefined ? {} : { memo: step.prepared.memo }),
  };
  const end = walk.walkId === mainWalk ? endOf(before, standing, world.atMs) : undefined;
  return {
    executionId: run.executionId,
    walkId: walk.walkId,
    fromTurn: walk.turn,
    walk: standing,
    variables: outputs,
    steps: recordsOf(step, { before, settled, standing, world }),
    ...(end === undefined ? {} : { run: end }),
    ...(consumed === undefined ? {} : { consumed }),
    ...(joined === undefined ? {} : { joined }),
    ...step.prepared.parts,
  };
}

type Ground = {
  readonly before: TurnContext;
  readonly settled: Settled;
  readonly world: World & Pick<TurnContext, 'variables'>;
};

type WalkedOn = {
  readonly turn: Turn;
  readonly notes: readonly Note[];
  readonly prepared: Prepared;
  /** Of steps that failed because their effect could not be prepared. */
  readonly records: readonly StepRecord[];
};

/** To the next effect that can be performed: one that cannot even be prepared fails its step. */
async function walkOn(bench: Workbench, { before, settled, world }: Ground): Promise<WalkedOn> {
  const { plan } = before.pinned;
  const guards = { loopTurns: bench.limits.loopTurns, movesPerTurn: bench.limits.movesPerTurn };
  let turn = next(plan, before.walk.state, replyOf(before, settled, world), guards);
  let notes = turn.notes;
  const records: StepRecord[] = [];
  for (;;) {
    const context = atVariables(before, world.variables, turn.state, settled.memo);
    const prepared = await prepareEffect(bench, context, turn.effect, before.walk.turn + 1);
    if (!('failure' in prepared)) return { turn, notes, prepared, records };
    if (prepared.record !== undefined) records.push(prepared.record);
    turn = next(plan, turn.state, { ...world, ...doneWith(prepared.failure) }, guards);
    notes = [...notes, ...turn.notes];
  }
}

function replyOf({ walk }: TurnContext, settled: Settled, world: World): Reply {
  if (settled.cancelled !== undefined) {
    return { ...world, kind: 'cancelled', reason: settled.cancelled };
  }
  if (walk.effect.kind === 'sleep') return { ...world, kind: walk.turn === 0 ? 'begun' : 'slept' };
  return { ...world, ...doneWith(settled.failure) };
}

function doneWith(failure: StepFailure | undefined) {
  return failure === undefined ? ({ kind: 'done' } as const) : ({ kind: 'done', failure } as const);
}

/** What the interpreter noted of an invocation comes after what was recorded of it while it ran. */
function recordsOf(
  step: WalkedOn,
  { before, settled, standing, world }: Ground & { readonly standing: WalkRecord },
) {
  const { visible } = atVariables(before, world.variables, standing.state, undefined);
  const { playbook } = before.pinned;
  const { redact, walk } = before;
  const made = [...settled.records, ...step.records, ...step.prepared.records];
  const noted = notedRecords(
    step.notes,
    { walkId: walk.walkId, playbook, variables: visible, redact },
    world.atMs,
    { walks: [walk, standing], records: made },
  );
  const again = new Set(noted.map(({ invocation }) => invocation));
  return [...made.filter(({ invocation }) => !again.has(invocation)), ...noted];
}

function endOf({ run }: TurnContext, { effect }: WalkRecord, atMs: number) {
  return effect.kind === 'finish' ? endedRun(run.status, effect.outcome, atMs) : undefined;
}
