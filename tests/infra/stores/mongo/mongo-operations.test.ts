import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMongoStores } from '../../../../infra/stores/mongo/create-mongo-stores.ts';
import { storeOperations } from '../../../contracts/store-operations.ts';
import {
  type Ferretdb,
  skipFerretdb,
  startFerretdb,
} from '../../../peers/ferretdb/start-ferretdb.ts';

describe.skipIf(skipFerretdb)('the commands sent to MongoDB', () => {
  let server: Ferretdb;

  beforeAll(async () => {
    server = await startFerretdb();
  });
  afterAll(() => server.stop());

  test('are as few as the documentation of operations says', async () => {
    let commands: string[] = [];
    const stores = createMongoStores({
      uri: server.uri,
      database: 'operations',
      onCommand: (name) => commands.push(name),
    });

    const operations = await storeOperations(stores, () => {
      const sent = commands;
      commands = [];
      return sent;
    });

    const step = 'find update update';
    expect(operations).toEqual({
      trigger: 'find insert insert insert',
      'trigger with an idempotency key': 'find find insert insert insert insert',
      'first turn': 'find find update',
      'action step': step,
      // Every eighth step takes the records of those before it along.
      'eight more action steps': `${`${step} `.repeat(7)}find insert update update`,
      'last action step, which ends the run': `${step} update delete`,
      report: 'find find find',
      question: 'insert update',
      answer: 'find update',
      'turn after the answer': 'find find update delete',
      'call of a playbook': 'find update insert insert insert',
      'list of three runs': 'find find find',
    });
    await stores.close();
  });
});
