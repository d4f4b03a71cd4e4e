import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DocumentTable } from '../../../../infra/stores/documents/document-table.ts';
import { createMongoStores } from '../../../../infra/stores/mongo/create-mongo-stores.ts';
import { mongoDatabase } from '../../../../infra/stores/mongo/mongo-database.ts';
import {
  type Fault,
  type FaultyProxy,
  startFaultyProxy,
} from '../../../peers/ferretdb/faulty-proxy.ts';
import {
  type Ferretdb,
  skipFerretdb,
  startFerretdb,
} from '../../../peers/ferretdb/start-ferretdb.ts';

const busy = (hintMs: number): Fault => ({
  error: {
    ok: 0,
    code: 16500,
    codeName: 'RequestRateTooLarge',
    errmsg: `Error=16500, RetryAfterMs=${hintMs}, Details='Request rate is large.'`,
  },
});
/** Of single writes, Cosmos DB says it like this. */
const busyWrite: Fault = {
  error: {
    ok: 1,
    n: 0,
    writeErrors: [{ index: 0, code: 16500, errmsg: 'Error=16500, RetryAfterMs=7, Details=...' }],
  },
};
const document = { partition: 'p', id: 'a', text: '1' };

describe.skipIf(skipFerretdb)('a MongoDB-compatible server', () => {
  let server: Ferretdb;
  let proxy: FaultyProxy;
  let waits: number[];
  let databases = 0;
  let database: ReturnType<typeof mongoDatabase>;
  let table: DocumentTable;

  beforeAll(async () => {
    server = await startFerretdb();
    proxy = await startFaultyProxy(server.uri);
  });
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });
  beforeEach(async () => {
    waits = [];
    databases += 1;
    database = mongoDatabase({
      uri: proxy.uri,
      database: `faults${databases}`,
      patience: { busyForMs: 1_000, sleep: async (ms) => void waits.push(ms) },
    });
    table = database.table('lists');
    await database.ping();
  });
  afterEach(async () => {
    proxy.faultFor = () => undefined;
    await database.close();
  });

  /** Answers the next commands of this name with these faults. */
  function faults(command: string, ...list: readonly Fault[]): void {
    const left = [...list];
    proxy.faultFor = (name) => (name === command ? left.shift() : undefined);
  }

  test('that is too busy is asked again after the time it names', async () => {
    faults('find', busy(34), busy(120));

    expect(await table.find('p', 'a')).toBeUndefined();

    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(34);
    expect(waits[0]).toBeLessThan(60);
    expect(waits[1]).toBeGreaterThanOrEqual(120);
  });

  test('that is too busy for a write is asked again, and the write happens once', async () => {
    faults('insert', busyWrite, busy(5));
    const version = await table.insert(document);
    faults('update', busyWrite);
    const next = await table.replace({ ...document, text: '2' }, version ?? '');
    faults('delete', busyWrite);

    expect(await table.find('p', 'a')).toMatchObject({ text: '2', version: next });
    expect(await table.remove('p', 'a')).toBe(true);
    expect(waits).toHaveLength(4);
  });

  test('that stays too busy is away, with the reason', async () => {
    proxy.faultFor = (name) => (name === 'find' ? busy(300) : undefined);

    await expect(table.find('p', 'a')).rejects.toMatchObject({
      code: 'store-away',
      cause: { message: expect.stringContaining('is busy') },
    });
    expect(waits).toHaveLength(3);
  });

  test.for(['before', 'after'] as const)(
    'that breaks the connection %s a write has arrived is asked again, and the write happens once',
    async (cut) => {
      faults('insert', { cut });
      const version = await table.insert(document);
      faults('update', { cut });
      const next = await table.replace({ ...document, text: '2' }, version ?? '');
      faults('update', { cut });
      await table.put({ ...document, text: '3' });
      faults('find', { cut });
      const found = await table.find('p', 'a');
      faults('delete', { cut });
      const removed = await table.remove('p', 'a');

      expect([version, next]).toEqual([expect.any(String), expect.any(String)]);
      expect(found).toMatchObject({ text: '3' });
      expect(removed).toBe(true);
    },
  );

  test('that breaks the connection does not make another one’s document ours', async () => {
    await table.insert(document);
    faults('insert', { cut: 'after' });

    expect(await table.insert({ ...document, text: '2' })).toBeUndefined();
    expect(await table.find('p', 'a')).toMatchObject({ text: '1' });
  });

  test('that refuses us is away, and says so to the log', async () => {
    const refused = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not allowed' };
    proxy.faultFor = (name) => (name === 'find' ? { error: refused } : undefined);

    await expect(table.find('p', 'a')).rejects.toMatchObject({
      code: 'store-away',
      cause: { message: expect.stringContaining('it refuses us: not allowed') },
    });
  });

  test('that does not understand a request shows a defect of ours', async () => {
    const unknown = { ok: 0, code: 2, codeName: 'BadValue', errmsg: 'no such thing' };
    proxy.faultFor = (name) => (name === 'find' ? { error: unknown } : undefined);

    await expect(table.find('p', 'a')).rejects.toThrow('refused a request: no such thing');
  });

  test('may be prepared by several services at once, again and again', async () => {
    const stores = Array.from({ length: 4 }, () =>
      createMongoStores({ uri: server.uri, database: 'prepared' }),
    );

    await Promise.all(stores.map((one) => one.ping()));
    await Promise.all(stores.map((one) => one.playbooks.list()));

    await Promise.all(stores.map((one) => one.close()));
  });
});

test('an address that cannot be read is refused at once', () => {
  expect(() => createMongoStores({ uri: 'mongodb://', database: 'x' })).toThrow();
});
