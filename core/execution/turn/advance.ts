/**
 * One turn of a walk: look at what came of its effect, ask the interpreter how to go on, record both in
 * one commit, and tell the driver what to do meanwhile.
 *
 * A1  A turn that is recorded is never taken again: a repeated call finds the walk further on and only
 *     repeats the order.
 * A2  At most one action step is performed per turn, before the interpreter moves on.
 * A3  Nobody is told of anything before it is recorded.
 */

import type { OpenWalk } from '../../ports/run-journal.ts';
import type { Run, Unprepared } from '../run.ts';
import type { Workbench } from '../workbench.ts';
import { type Order, orderFor, type Place, sleptUntil, waitUntil } from './order.ts';
import { settleChild, settleFork } from './settle-join.ts';
import { settleQuestion, withdrawQuestion } from './settle-question.ts';
import { cancelledText, interruptedRun, settleRun } from './settle-run.ts';
import { type NotYet, nothingHappened, type Settled, type TurnContext } from './settled.ts';
import { takeTurn } from './take-turn.ts';
import { tellCommitted } from './tell-committed.ts';
import { turnContext } from './turn-context.ts';

/** Rejects only when the store does not answer, or for a defect; the driver then tries again later. */
export async function advance(bench: Workbench, place: Place): Promise<Order> {
  const { execution, walk: walkId } = place;
  const open = await bench.stores.journal.open(execution, walkId);
  const pinned = open && (await bench.pinned.get(execution));
  if (open === undefined || pinned === undefined) return { do: 'finish', status: 'failed' };
  // A branch outlives a run that was given up; it goes no further.
  if (open.run.status !== 'ongoing') return { do: 'finish', status: open.run.status };
  if (open.walk.turn !== place.turn || open.walk.effect.kind === 'finish') {
    return orderFor(execution, open.walk, bench.clock.now());
  }
  const context = turnContext(pinned, { ...open, run: await heedParent(bench, open) });
  const settled = await settle(bench, context);
  if (settled === 'stale') return repeatOrder(bench, place);
  if ('order' in settled) return settled.order;

  const commit = await takeTurn(bench, context, settled);
  if ((await bench.stores.journal.commit(commit)) === 'stale') return repeatOrder(bench, place);
  tellCommitted(bench, open.run, commit);
  const order = orderFor(execution, commit.walk, bench.clock.now());
  if (order.do !== 'wait' || !(await isToldOtherwise(bench, context.run))) return order;
  return { do: 'turn', turn: order.turn };
}

/** A child that was created while its parent was being cancelled or paused was not there to be told. */
async function heedParent(bench: Workbench, { run, walk }: OpenWalk): Promise<Run> {
  if (run.parent === undefined || walk.turn > 0 || run.control !== 'go') return run;
  const control = (await bench.stores.runs.get(run.parent.executionId))?.control ?? 'go';
  if (control === 'go') return run;
  await bench.stores.runs.setControl(run.executionId, control);
  return { ...run, control };
}

/** Whoever cancelled or resumed the run during this turn woke a turn that nobody waits for any more. */
async function isToldOtherwise(bench: Workbench, { executionId, control }: Run): Promise<boolean> {
  return (await bench.stores.runs.get(executionId))?.control !== control;
}

/** Somebody else took this turn meanwhile; what they recorded counts. */
async function repeatOrder(bench: Workbench, { execution, walk }: Place): Promise<Order> {
  const open = await bench.stores.journal.open(execution, walk);
  if (open === undefined) return { do: 'finish', status: 'failed' };
  return orderFor(execution, open.walk, bench.clock.now());
}

/** How often a paused walk looks whether it was resumed, in case its wake-up was lost. */
const PAUSED_LOOK_MS = 60_000;

async function settle(bench: Workbench, context: TurnContext): Promise<Settled | NotYet | 'stale'> {
  const { run, walk } = context;
  const { effect } = walk;
  if (run.control === 'cancel' && effect.kind !== 'child' && effect.kind !== 'fork') {
    return cancelled(bench, context);
  }
  if (run.control === 'pause' && effect.kind !== 'child' && effect.kind !== 'fork') {
    return { order: { do: 'wait', turn: walk.turn, forMs: PAUSED_LOOK_MS } };
  }
  if (walk.memo?.refused !== undefined) return alsoCancelled(context, refused(walk.memo.refused));
  switch (effect.kind) {
    case 'run':
      return settleRun(bench, context, effect);
    case 'ask':
      return settleQuestion(bench, context, effect);
    case 'child':
      return alsoCancelled(context, await settleChild(bench, context, effect));
    case 'fork':
      return alsoCancelled(context, await settleFork(bench, context));
    case 'sleep': {
      const nowMs = bench.clock.now();
      const untilMs = sleptUntil(walk);
      const asleep = effect.forMs > 0 && nowMs < untilMs;
      return asleep ? { order: waitUntil(walk.turn, untilMs, nowMs) } : nothingHappened;
    }
    case 'finish':
      throw new Error('A walk that has ended takes no turn.');
  }
}

/** Children and branches see the cancellation themselves; their walk ends after them. */
function alsoCancelled({ run }: TurnContext, settled: Settled | NotYet): Settled | NotYet {
  if (run.control !== 'cancel' || 'order' in settled) return settled;
  return { ...settled, cancelled: cancelledText };
}

function refused({ failure, record }: Unprepared): Settled {
  return { outputs: {}, records: record === undefined ? [] : [record], failure };
}

/** The step that was being executed is reported with what it had done until then. */
async function cancelled(bench: Workbench, context: TurnContext): Promise<Settled> {
  const { effect } = context.walk;
  const ended = { ...nothingHappened, cancelled: cancelledText };
  if (effect.kind === 'ask') {
    return { ...ended, ...(await withdrawQuestion(bench, context, effect)) };
  }
  return effect.kind === 'run' ? { ...ended, records: interruptedRun(context, effect) } : ended;
}
