/**
 * The durable driver: performs orders until the walk has ended. Anything about playbooks belongs in
 * core/engine or core/execution, never here.
 *
 * O1  A synchronous generator that sees no clock, randomness, environment or I/O.
 * O2  Its history holds ids, turn numbers and status codes only.
 * O3  It continues as new after so many orders and after every wait, so the cost of a step stays the same
 *     however long the playbook is, and no event waiter outlives its wait.
 */

import type { OrchestrationContext, Task } from 'durable-functions';
import type { Order, Place } from '../../core/execution/turn/order.ts';
import { callTurn, joinAll, waitForWake } from './durable-steps.ts';

const ORDERS_PER_GENERATION = 40;

export function* walkExecution(
  context: OrchestrationContext,
): Generator<Task, string | undefined, unknown> {
  const place: Place = context.df.getInput();
  let turn = place.turn;
  for (let orders = 0; orders < ORDERS_PER_GENERATION; orders += 1) {
    const order: Order = yield* callTurn(context, { ...place, turn });
    turn = order.do === 'finish' ? turn : order.turn;
    if (order.do === 'finish') return order.status;
    if (order.do === 'join') yield* joinAll(context, order.places);
    if (order.do !== 'wait') continue;
    yield* waitForWake(context, order.turn, order.forMs);
    break;
  }
  context.df.continueAsNew({ ...place, turn });
  return undefined;
}
