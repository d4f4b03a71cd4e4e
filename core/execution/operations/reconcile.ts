/**
 * Repairs what a crash between store and durable engine may have left: runs nobody walks, answers and
 * cancellations whose wake-up was lost. Everything it does is harmless when it was not needed.
 */

import type { Orchestrations } from '../../ports/orchestrations.ts';
import { mainWalk } from '../ids.ts';
import type { Workbench } from '../workbench.ts';
import { passOn } from './control-run.ts';

/** Runs younger than this are still on their way from the store to the engine. */
const SETTLING_MS = 10_000;

export async function reconcile(bench: Workbench, orchestrations: Orchestrations): Promise<void> {
  const nowMs = bench.clock.now();
  const { runs, journal, manual } = bench.stores;
  for (const run of await runs.list({ finished: false, order: 'oldest-first' })) {
    if (run.control === 'cancel') {
      await passOn(bench, orchestrations, run.executionId, mainWalk, run.control);
    }
    if (run.parent !== undefined || nowMs - run.startedMs < SETTLING_MS) continue;
    const walk = (await journal.open(run.executionId, mainWalk))?.walk;
    if (walk?.turn !== 0) continue;
    bench.log.warning('execution.restarted', { executionId: run.executionId });
    await orchestrations.start(run.executionId);
  }
  for (const { executionId, walkId, turn } of await manual.answered()) {
    await orchestrations.wake(executionId, walkId, turn);
  }
}
