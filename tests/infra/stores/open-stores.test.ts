import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../infra/stores/open-stores.ts';
import { aPlaybook, playbookId } from '../../contracts/builders.ts';
import { startCosmosdb } from '../../peers/cosmosdb/start-cosmosdb.ts';
import { skipFerretdb, startFerretdb } from '../../peers/ferretdb/start-ferretdb.ts';

test('a SQLite store is kept in its directory', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'stores-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const first = await openStores({ kind: 'sqlite', directory });
  await first.playbooks.add(playbookId(1), aPlaybook(1));
  await first.close();

  const second = await openStores({ kind: 'sqlite', directory });

  expect(await second.playbooks.list()).toEqual([aPlaybook(1)]);
  await second.close();
});

test.skipIf(skipFerretdb)('a MongoDB store is kept in its database', async () => {
  const server = await startFerretdb();
  onTestFinished(() => server.stop());
  const config = { kind: 'mongo', uri: server.uri, credentials: undefined } as const;
  const first = await openStores({ ...config, database: 'one' });
  const other = await openStores({ ...config, database: 'other' });
  await first.playbooks.add(playbookId(1), aPlaybook(1));

  expect(await first.playbooks.list()).toEqual([aPlaybook(1)]);
  expect(await other.playbooks.list()).toEqual([]);
  await Promise.all([first.close(), other.close()]);
});

test('stores open although their database is away, and say so when they are asked', async () => {
  const server = await startCosmosdb();
  const { endpoint } = server;
  await server.stop();
  const away = [
    await openStores({
      kind: 'mongo',
      uri: endpoint.replace('https', 'mongodb'),
      database: 'svc',
      credentials: { username: 'root', password: 'secret' },
    }),
    await openStores({ kind: 'cosmos', endpoint, database: 'svc', key: 'a2V5' }),
  ];

  await Promise.all(
    away.map(async (stores) => {
      const since = performance.now();
      await expect(stores.ping()).rejects.toMatchObject({
        code: 'store-away',
        cause: { message: expect.stringContaining('The database svc cannot be used') },
      });
      expect(performance.now() - since).toBeLessThan(8_000);
      await stores.close();
    }),
  );
});
