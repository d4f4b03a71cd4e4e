/** Forgets the oldest finished executions beyond MAX_EXECUTIONS, with their durable history. */

import type { Orchestrations } from '../ports/orchestrations.ts';
import type { ExecutionId } from './ids.ts';
import type { Workbench } from './workbench.ts';

/** Bounds the work of one call; what is left over is done by the next. */
const MOST_PER_CALL = 100;

export async function retain(
  bench: Workbench,
  orchestrations: Orchestrations,
  keep: number,
): Promise<readonly ExecutionId[]> {
  const forgotten = await bench.stores.runs.purge(keep, MOST_PER_CALL);
  for (const id of forgotten) {
    bench.pinned.forget(id);
    await orchestrations.forget(id);
  }
  return forgotten;
}
