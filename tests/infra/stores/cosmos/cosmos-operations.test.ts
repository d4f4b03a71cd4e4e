import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCosmosStores } from '../../../../infra/stores/cosmos/create-cosmos-stores.ts';
import { storeOperations } from '../../../contracts/store-operations.ts';
import { type Cosmosdb, startCosmosdb } from '../../../peers/cosmosdb/start-cosmosdb.ts';

describe('the requests sent to Cosmos DB', () => {
  let server: Cosmosdb;

  beforeAll(async () => {
    server = await startCosmosdb();
  });
  afterAll(() => server.stop());

  test('are as few as the documentation of operations says', async () => {
    const { endpoint, agent, requests } = server;
    const stores = createCosmosStores({ endpoint, agent, key: 'a2V5', database: 'operations' });

    const operations = await storeOperations(stores, () =>
      requests
        .splice(0)
        .map(({ kind }) => kind)
        // Costs nothing: the client asks how to carry out a query that sorts.
        .filter((kind) => kind !== 'query plan'),
    );

    const step = 'read replace replace';
    expect(operations).toEqual({
      trigger: 'read create create create',
      // The patch makes sure that the key is not there: other services' writes may not show yet.
      'trigger with an idempotency key': 'read read patch create create create create',
      'first turn': 'read read replace',
      'action step': step,
      // Every eighth step takes the records of those before it along.
      'eight more action steps': `${`${step} `.repeat(7)}read create replace replace`,
      'last action step, which ends the run': `${step} upsert delete`,
      report: 'read read query',
      question: 'create replace',
      answer: 'read replace',
      'turn after the answer': 'read read replace delete',
      'call of a playbook': 'read replace create create create',
      'list of three runs': 'query query read read',
    });
    await stores.close();
  });
});
