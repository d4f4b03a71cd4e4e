/** Plays a scenario on the real SDK and the embedded engine and keeps what the orchestrators were told. */

import { createMemoryStores } from '../../infra/stores/memory/create-memory-stores.ts';
import type { Performer } from '../support/a-bench.ts';
import { aroundCommit } from '../support/around-commit.ts';
import { until } from '../support/client.ts';
import { type DurableProduct, openProduct } from '../support/durable-product.ts';
import { type Generation, type Recording, recordCalls } from './recording.ts';
import type { Scenario } from './scenarios.ts';

export async function recordScenario({ name, failures = 0, play }: Scenario): Promise<Recording> {
  const calls = new Map<string, Generation>();
  let left = failures;
  const stores = aroundCommit(createMemoryStores(), async (_, write) => {
    left -= 1;
    if (left >= 0) throw new Error('The store is away.');
    return write();
  });
  const product = await openProduct({
    stores,
    perform: countingTurns(),
    parallel: 'concurrent',
    durable: { route: 'json' },
    around: recordCalls(calls),
  });
  try {
    await play(product);
    await until(
      () => unfinished(product),
      (instances) => instances.length === 0,
    );
  } finally {
    await product.dispose();
  }
  return { scenario: name, generations: [...calls.values()] };
}

function countingTurns(): Performer {
  let turns = 0;
  return () => {
    turns += 1;
    return { ok: true, values: { __turn__: String(turns) } };
  };
}

/** The end of a run is recorded a little before its orchestration ends. */
async function unfinished({ host }: DurableProduct): Promise<readonly unknown[]> {
  const answer = await host.manage({
    method: 'GET',
    path: 'instances',
    query: new URLSearchParams({ runtimeStatus: 'Running,Pending' }),
    contentType: undefined,
    body: '',
  });
  return answer.body as readonly unknown[];
}
