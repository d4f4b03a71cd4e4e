/** Forgets the oldest finished executions beyond MAX_EXECUTIONS, with their durable history. */

import type { Orchestrations } from '../../ports/orchestrations.ts';
import type { ExecutionId } from '../ids.ts';
import type { Workbench } from '../workbench.ts';

/** Bounds the work of one call; what is left over is done by the next. */
const MOST_PER_CALL = 100;

/** `keep` counts running executions too; those are never forgotten. */
export async function retain(
  bench: Workbench,
  orchestrations: Orchestrations,
  keep: number,
): Promise<readonly ExecutionId[]> {
  const { runs } = bench.stores;
  const forgotten = await runs.purge(keep, MOST_PER_CALL);
  if (forgotten.length === 0) return forgotten;
  for (const id of forgotten) bench.pinned.forget(id);
  // Whatever began before the oldest run that is kept belonged to a run that is forgotten.
  const [oldest] = await runs.list({ order: 'oldest-first', limit: 1 });
  await orchestrations.forgetEnded(oldest?.startedMs ?? bench.clock.now());
  bench.log.debug('execution.forgotten', { executions: forgotten.length });
  return forgotten;
}
