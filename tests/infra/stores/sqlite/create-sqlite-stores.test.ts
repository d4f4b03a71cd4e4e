import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { storesContract } from '../../../contracts/stores.contract.ts';

describe('SQLite in memory', () => {
  storesContract(async () => createSqliteStores({ path: ':memory:', synchronous: 'normal' }));
});

describe('SQLite in a file', () => {
  storesContract(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'stores-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    return createSqliteStores({ path: join(directory, 'store.sqlite'), synchronous: 'normal' });
  });
});
