/**
 * The few durable operations the driver uses, typed. The SDK yields `any`; the casts here are the only
 * ones, and the shapes are those the activities return.
 */

import type { OrchestrationContext, Task } from 'durable-functions';
import { wakeEvent } from '../../core/engine/wake-event.ts';
import type { Order, Place, StartPlace } from '../../core/execution/turn/order.ts';
import { executionName, turnName } from './names.ts';

type Durable<Result> = Generator<Task, Result, unknown>;

const LONGEST_PAUSE_MS = 60_000;

/**
 * Takes one turn. An activity that throws met a store that is away, or a defect: it is tried again ever
 * more slowly, and told how often, so that it can give the execution up.
 */
export function* callTurn(context: OrchestrationContext, place: Place): Durable<Order> {
  for (let tries = 0; ; tries += 1) {
    try {
      return (yield context.df.callActivity(turnName, { ...place, tries })) as Order;
    } catch {
      yield* pause(context, Math.min(LONGEST_PAUSE_MS, 250 * 2 ** Math.min(tries, 20)));
    }
  }
}

/** Waits for the wake-up of this turn, or so long. The loser of the two is cancelled or never reused. */
export function* waitForWake(
  context: OrchestrationContext,
  turn: number,
  forMs: number,
): Durable<void> {
  const due = new Date(context.df.currentUtcDateTime.getTime() + forMs);
  const timer = context.df.createTimer(due);
  const wake = context.df.waitForExternalEvent(wakeEvent(turn));
  const first = yield context.df.Task.any([wake, timer]);
  if (first === wake) timer.cancel();
}

/** Runs other walks to their end. They report their outcome to the store and never throw. */
export function* joinAll(
  context: OrchestrationContext,
  places: readonly StartPlace[],
): Durable<void> {
  const walks = places.map(({ instanceId, place }) =>
    context.df.callSubOrchestrator(executionName, place, instanceId),
  );
  if (walks.length > 0) yield context.df.Task.all(walks);
}

function* pause(context: OrchestrationContext, forMs: number): Durable<void> {
  yield context.df.createTimer(new Date(context.df.currentUtcDateTime.getTime() + forMs));
}
