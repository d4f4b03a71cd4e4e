/** Every minute, and at start: repairs what a crash left between store and durable engine, and forgets old runs. */

import type { TimerHandler } from '@azure/functions';
import * as df from 'durable-functions';
import { reconcile } from '../../core/execution/operations/reconcile.ts';
import { retain } from '../../core/execution/operations/retention.ts';
import type { Ready } from '../composition.ts';
import { durableOrchestrations } from '../durable-orchestrations.ts';

export const reconcileSchedule = '30 * * * * *';

export function reconcileTimer(ready: Ready): TimerHandler {
  return async (_timer, context) => {
    const { bench, config } = await ready();
    const orchestrations = durableOrchestrations(df.getClient(context));
    try {
      await reconcile(bench, orchestrations);
      await retain(bench, orchestrations, config.execution.maxExecutions);
    } catch (error) {
      // The store is away; the next tick tries again.
      bench.log.warning('execution.reconcile-failed', { error });
    }
  };
}
