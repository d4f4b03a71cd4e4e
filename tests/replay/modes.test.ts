/** The engine's test modes change nothing that can be seen from outside. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aChaosPlaybook } from '../chaos/chaos-playbook.ts';
import { type ChaosTarget, startChaosTarget } from '../chaos/chaos-target.ts';
import { startOperator } from '../chaos/operator.ts';
import { outcomeOf } from '../chaos/outcomes.ts';
import { clientOf } from '../support/client.ts';
import { createRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';

let target: ChaosTarget;
let usual: readonly object[];

beforeAll(async () => {
  target = await startChaosTarget();
  usual = await outcomes({});
});
afterAll(() => target.close());

/** Of playbooks with every step type, executed side by side. */
async function outcomes(environment: Readonly<Record<string, string>>): Promise<readonly object[]> {
  const service = await startService({
    environment: { PARALLEL_BRANCHES: 'concurrent', LOG_GLOBAL_LEVEL: 'error', ...environment },
  });
  const operator = startOperator(() => service.url);
  try {
    const ask = clientOf(service.url);
    const executed = [1, 2, 3].map(async (seed) => {
      const { playbook, child } = aChaosPlaybook(`m${seed}`, target.url, createRandom(seed));
      await ask('POST', '/playbook', { body: child });
      const { json } = await ask('POST', '/trigger/playbook', { body: playbook });
      return outcomeOf(ask, json['execution-id']);
    });
    return await Promise.all(executed);
  } finally {
    await operator.stop();
    await service.dispose();
  }
}

describe('executions end the same, step by step,', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['with every episode run twice and compared', { DURABLE_CHECK_REPLAY: 'true' }],
    ['without any cache between episodes', { DURABLE_DROP_CACHES: 'true' }],
    ['with completions in another order', { DURABLE_SHUFFLE_SEED: '1' }],
    ['with completions in yet another order', { DURABLE_SHUFFLE_SEED: '20261121' }],
    ['with histories that travel as JSON', { DURABLE_ROUTE: 'json' }],
    [
      'with all of it at once',
      {
        DURABLE_CHECK_REPLAY: 'true',
        DURABLE_DROP_CACHES: 'true',
        DURABLE_SHUFFLE_SEED: '7',
        DURABLE_ROUTE: 'json',
      },
    ],
  ])('%s', async (_, environment) => {
    expect(await outcomes(environment)).toEqual(usual);
  });

  test('as planned: each playbook met what it was made of', () => {
    const text = JSON.stringify(usual);

    expect(usual).toHaveLength(3);
    for (const part of ['turn-of-', 'Question', 'refused', '"child"', 'operator']) {
      expect(text).toContain(part);
    }
  });
});
