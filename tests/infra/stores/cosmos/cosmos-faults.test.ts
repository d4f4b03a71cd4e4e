import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { cosmosDatabase } from '../../../../infra/stores/cosmos/cosmos-database.ts';
import type { DocumentTable } from '../../../../infra/stores/documents/document-table.ts';
import {
  type Cosmosdb,
  type Fault,
  startCosmosdb,
} from '../../../peers/cosmosdb/start-cosmosdb.ts';

const busy = (hintMs: number): Fault => ({
  status: 429,
  headers: { 'x-ms-retry-after-ms': String(hintMs) },
});
const document = { partition: 'p', id: 'a', text: '1' };

describe('a Cosmos DB account', () => {
  let server: Cosmosdb;
  let waits: number[];
  let databases = 0;
  let database: ReturnType<typeof cosmosDatabase>;
  let table: DocumentTable;

  beforeAll(async () => {
    server = await startCosmosdb();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    waits = [];
    databases += 1;
    database = cosmosDatabase({
      endpoint: server.endpoint,
      agent: server.agent,
      key: 'a2V5',
      database: `faults${databases}`,
      patience: { busyForMs: 1_000, sleep: async (ms) => void waits.push(ms) },
    });
    table = database.table('lists');
    await database.ping();
  });
  afterEach(async () => {
    server.faultFor = () => undefined;
    await database.close();
  });

  /** Answers the next requests of this kind with these faults. */
  function faults(wanted: string, ...list: readonly Fault[]): void {
    const left = [...list];
    server.faultFor = ({ kind }) => (kind === wanted ? left.shift() : undefined);
  }

  test('that is too busy is asked again after the time it names', async () => {
    faults('create', busy(34), busy(120));

    const version = await table.insert(document);

    expect(await table.find('p', 'a')).toMatchObject({ text: '1', version });
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(34);
    expect(waits[0]).toBeLessThan(60);
    expect(waits[1]).toBeGreaterThanOrEqual(120);
  });

  test('that is too busy in the middle of a query is asked for that page again', async () => {
    await table.insert({ ...document, order: 'a' });
    faults('query', busy(5), busy(5));

    expect(await table.query('p')).toMatchObject([{ id: 'a' }]);
    expect(waits).toHaveLength(2);
  });

  test('that stays too busy is away, with the reason', async () => {
    server.faultFor = () => busy(300);

    await expect(table.find('p', 'a')).rejects.toMatchObject({
      code: 'store-away',
      cause: { message: expect.stringContaining('is busy') },
    });
    expect(waits).toHaveLength(3);
  });

  test.for([{ status: 503 }, 'answer lost'] as const)(
    'that fails a write, or loses its answer, is asked again, and the write happens once (%o)',
    async (fault) => {
      faults('create', fault);
      const version = await table.insert(document);
      faults('replace', fault);
      const next = await table.replace({ ...document, text: '2' }, version ?? '');
      const found = await table.find('p', 'a');
      faults('delete', fault);
      const removed = await table.remove('p', 'a');

      expect([version, next]).toEqual([expect.any(String), expect.any(String)]);
      expect(found).toMatchObject({ text: '2', version: next });
      expect(removed).toBe(true);
    },
  );

  test('that loses an answer does not make another one’s document ours', async () => {
    await table.insert(document);
    faults('create', 'answer lost');

    expect(await table.insert({ ...document, text: '2' })).toBeUndefined();
    expect(await table.find('p', 'a')).toMatchObject({ text: '1' });
  });

  test('that does not show what another service has just written is asked again', async () => {
    await table.insert(document);
    faults('read', { status: 404 }, { status: 404 });

    expect(await table.find('p', 'a')).toMatchObject({ text: '1' });
  });

  test.for([401, 403])('that answers %i is away, and says so to the log', async (status) => {
    server.faultFor = () => ({ status });

    await expect(table.find('p', 'a')).rejects.toMatchObject({
      code: 'store-away',
      cause: { message: expect.stringContaining(`it refuses us with ${status}`) },
    });
  });

  test('that does not understand a request shows a defect of ours', async () => {
    server.faultFor = () => ({ status: 400 });

    await expect(table.find('p', 'a')).rejects.toThrow('refused a request: a fault of the test');
  });

  test('is spoken to with the managed identity of the host when there is no key', async () => {
    const asked: string[] = [];
    const endpoint = createServer((request, response) => {
      asked.push(request.url ?? '');
      const expires = Math.floor(Date.now() / 1_000) + 3_600;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ access_token: 'a.b.c', expires_on: `${expires}`, token_type: 'Bearer' }),
      );
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    onTestFinished(() => {
      vi.unstubAllEnvs();
      endpoint.close();
    });
    const address = endpoint.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${port}/token`);
    vi.stubEnv('IDENTITY_HEADER', 'secret');
    const { endpoint: account, agent } = server;
    const identified = cosmosDatabase({
      endpoint: account,
      agent,
      key: undefined,
      database: 'identity',
    });

    await identified.table('lists').insert(document);
    server.requests.length = 0;
    await identified.table('lists').find('p', 'a');
    await identified.close();

    expect(asked[0]).toContain(`resource=${encodeURIComponent(account)}`);
    expect(server.requests.at(-1)?.authorization).toContain('a.b.c');
  });
});
