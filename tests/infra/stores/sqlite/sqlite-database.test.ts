import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import {
  aCommit,
  aNewRun,
  aPlaybook,
  aWalk,
  executionId,
  playbookId,
  text,
} from '../../../contracts/builders.ts';
import { temporaryDatabase } from './temporary-database.ts';

test('the file and its directory are made, for the eyes of this user alone', async () => {
  const path = join(dirname(temporaryDatabase()), 'some', 'where', 'store.sqlite');

  const stores = createSqliteStores({ path, synchronous: 'normal' });
  await stores.playbooks.add(playbookId(1), aPlaybook(1));

  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    expect(statSync(file).mode & 0o077, file).toBe(0);
  }
  await stores.close();
});

test('a file that is no database is refused by its name', () => {
  const path = temporaryDatabase();
  writeFileSync(path, 'This is a text about databases. '.repeat(200));

  const open = () => createSqliteStores({ path, synchronous: 'normal' });

  expect(open).toThrow(`The file ${path} cannot be opened as a database.`);
});

test('a database that broke while it was open is away, and the reason is kept', async () => {
  const path = temporaryDatabase();
  const stores = createSqliteStores({ path, synchronous: 'normal' });
  await stores.playbooks.add(playbookId(1), aPlaybook(1, { filler: 'x'.repeat(3_000_000) }));
  const other = new DatabaseSync(path);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  truncateSync(path, 8192);

  const request = stores.playbooks.list();

  await expect(request).rejects.toMatchObject({
    code: 'store-away',
    cause: {
      message: `The database ${path} cannot be used now.`,
      cause: { code: 'ERR_SQLITE_ERROR' },
    },
  });
});

test('a database another process keeps locked is away, and serves again afterwards', async () => {
  const path = temporaryDatabase();
  const stores = createSqliteStores({ path, synchronous: 'normal', busyTimeoutMs: 10 });
  await stores.runs.create(aNewRun(1));
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');

  const meanwhile = stores.journal.commit(aCommit(1, 0));

  await expect(meanwhile).rejects.toMatchObject({
    code: 'store-away',
    cause: { cause: { message: 'database is locked' } },
  });
  other.exec('COMMIT');
  other.close();
  expect(await stores.journal.commit(aCommit(1, 0))).toBe('committed');
  await stores.close();
});

test('a request the schema does not allow is a defect, not an outage, and changes nothing', async () => {
  const stores = createSqliteStores({ path: ':memory:', synchronous: 'normal' });
  await stores.runs.create(aNewRun(1));

  const attempt = stores.journal.commit(
    aCommit(1, 0, { variables: { __a__: text('1') }, walks: [aWalk(0)] }),
  );

  await expect(attempt).rejects.toThrow('The database :memory: refused a request');
  await expect(attempt).rejects.toMatchObject({ cause: { code: 'ERR_SQLITE_ERROR' } });
  const open = await stores.journal.open(executionId(1), mainWalk);
  expect(open).toMatchObject({ walk: { turn: 0 }, variables: {} });
  await stores.close();
});

test('the write-ahead log is folded back when the store is closed', async () => {
  const path = temporaryDatabase();
  const stores = createSqliteStores({ path, synchronous: 'normal' });
  await stores.playbooks.add(playbookId(1), aPlaybook(1));

  await stores.close();

  expect(existsSync(`${path}-wal`)).toBe(false);
  rmSync(path);
});
