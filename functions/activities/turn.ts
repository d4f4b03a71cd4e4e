/** The activity `turn`: takes one turn of a walk and answers what the driver must do next. */

import type { ActivityHandler } from 'durable-functions';
import { abandon } from '../../core/execution/turn/abandon.ts';
import { advance } from '../../core/execution/turn/advance.ts';
import type { Order, Place } from '../../core/execution/turn/order.ts';
import type { Ready } from '../composition.ts';

/** After so many failed tries in a row (about a minute) a store that answers proves the fault is ours. */
const TRIES = 9;

export function turnActivity(ready: Ready): ActivityHandler {
  return async (input: Place & { readonly tries: number }): Promise<Order> => {
    const { tries, ...place } = input;
    const { bench } = await ready();
    try {
      return await advance(bench, place);
    } catch (error) {
      bench.log.error('execution.turn-failed', { ...place, tries, error });
      if (tries < TRIES) throw error;
      return abandon(bench, place);
    }
  };
}
