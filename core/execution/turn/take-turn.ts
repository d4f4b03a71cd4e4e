/** Asks the interpreter how to go on and gathers everything this turn changed into one commit. */

import type { Effect, Note, Reply, StepFailure, Turn, World } from '../../engine/effects.ts';
import { next } from '../../engine/next.ts';
import type { Commit } from '../../ports/run-journal.ts';
import { mainWalk } from '../ids.ts';
import type { Redact } from '../redaction.ts';
import type { StepRecord, WalkRecord } from '../run.ts';
import { endedRun } from '../transition.ts';
import type { Workbench } from '../workbench.ts';
import { type Prepared, prepareEffect } from './prepare-effect.ts';
import type { Settled, TurnContext } from './settled.ts';
import { invocationNumber, notedRecords } from './step-record.ts';
import { atVariables, redactAlso } from './turn-context.ts';

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
  const redact = redactAlso(before, outputs);
  const standing: WalkRecord = {
    walkId: walk.walkId,
    turn: walk.turn + 1,
    state: { ...step.turn.state, errors: step.turn.state.errors.map(redact) },
    effect: hiddenEnd(step.turn.effect, redact),
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
    steps: recordsOf(step, { before, settled, standing, world }, redact),
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

/** A loop may meet effects that cannot be prepared for ever; a turn takes so many, then others get theirs. */
const REFUSALS_PER_TURN = 20;

/** To the next effect that can be performed: one that cannot even be prepared fails its step. */
async function walkOn(bench: Workbench, { before, settled, world }: Ground): Promise<WalkedOn> {
  const { plan } = before.pinned;
  const guards = { loopTurns: bench.limits.loopTurns, movesPerTurn: bench.limits.movesPerTurn };
  let turn = next(plan, before.walk.state, replyOf(before, settled, world), guards);
  const notes = [...turn.notes];
  const records: StepRecord[] = [];
  for (let refusals = 0; ; refusals += 1) {
    const context = atVariables(before, world.variables, turn.state, settled.memo);
    const prepared = await prepareEffect(bench, context, turn.effect, before.walk.turn + 1);
    if (!('failure' in prepared)) return { turn, notes, prepared, records };
    if (refusals === REFUSALS_PER_TURN) {
      return {
        turn,
        notes,
        records,
        prepared: { memo: { refused: prepared }, records: [], parts: {} },
      };
    }
    if (prepared.record !== undefined) records.push(prepared.record);
    turn = next(plan, turn.state, { ...world, ...doneWith(prepared.failure) }, guards);
    notes.push(...turn.notes);
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

/** In the order the steps were begun. What was recorded of a step that has ended is not noted over. */
function recordsOf(
  step: WalkedOn,
  { before, settled, standing, world }: Ground & { readonly standing: WalkRecord },
  redact: Redact,
): readonly StepRecord[] {
  const { walk, pinned } = before;
  const made = [...settled.records, ...step.records, ...step.prepared.records];
  const noted = notedRecords(
    step.notes,
    { walkId: walk.walkId, playbook: pinned.playbook, variables: world.variables, redact },
    world.atMs,
    { walks: [walk, standing], records: made },
  );
  const again = new Set(noted.map(({ invocation }) => invocation));
  const kept = made.filter(
    (record) => record.endedMs !== undefined || !again.has(record.invocation),
  );
  const last = new Map([...noted, ...kept].map((record) => [record.invocation, record]));
  return [...last.values()].sort((a, b) => invocationNumber(a) - invocationNumber(b));
}

/** Errors of conditions come from the interpreter, which knows no secrets. */
function hiddenEnd(effect: Effect, redact: Redact): Effect {
  if (effect.kind !== 'finish') return effect;
  const { status, errors } = effect.outcome;
  return { kind: 'finish', outcome: { status, errors: errors.map(redact) } };
}

function endOf({ run }: TurnContext, { effect }: WalkRecord, atMs: number) {
  return effect.kind === 'finish' ? endedRun(run.status, effect.outcome, atMs) : undefined;
}
