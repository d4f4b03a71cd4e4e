import { describe, expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../../../infra/stores/sqlite/migrations.ts';
import { SqliteDatabase } from '../../../../infra/stores/sqlite/sqlite-database.ts';
import { SqliteFinStore } from '../../../../infra/stores/sqlite/sqlite-fin-store.ts';
import { finStoreContract } from '../../../contracts/fin-store.contract.ts';
import { aFin } from '../../../support/a-fin.ts';
import { temporaryDatabase } from './temporary-database.ts';

function open(path: string): SqliteFinStore {
  const database = new SqliteDatabase({ path, synchronous: 'normal' }, migrations);
  onTestFinished(() => database.close());
  return new SqliteFinStore(database);
}

describe('SQLite', () => {
  finStoreContract(async () => open(':memory:'));

  test('fins outlive the service, and another service on the file sees their changes', async () => {
    const path = temporaryDatabase();
    await open(path).write([aFin('a')], 0);

    const other = open(path);

    const { revision, fins } = await other.read();
    expect(fins).toEqual([aFin('a')]);
    expect(await open(path).write([aFin('b')], revision)).toBe(true);
    expect(await other.write([aFin('c')], revision)).toBe(false);
  });
});
