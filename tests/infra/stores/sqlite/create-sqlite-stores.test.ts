import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  aPlaybook,
  aRun,
  aStep,
  aWalk,
  executionId,
  playbookId,
  text,
} from '../../../contracts/builders.ts';
import { storesContract } from '../../../contracts/stores.contract.ts';
import { temporaryDatabase } from './temporary-database.ts';

describe('SQLite in memory', () => {
  storesContract(async () => createSqliteStores({ path: ':memory:', synchronous: 'normal' }));
});

describe('SQLite in a file', () => {
  storesContract(async () =>
    createSqliteStores({ path: temporaryDatabase(), synchronous: 'normal' }),
  );

  test('everything is there again when the file is opened anew', async () => {
    const path = temporaryDatabase();
    const before = createSqliteStores({ path, synchronous: 'full' });
    await before.playbooks.add(playbookId(1), aPlaybook(1));
    await before.runs.create(aNewRun(1, { idempotencyKey: 'key' }));
    await before.journal.commit(
      aCommit(1, 0, {
        variables: { __a__: text('1') },
        steps: [aStep('w#1')],
        ask: aCommand(1, 1),
      }),
    );
    await before.close();

    const after = createSqliteStores({ path, synchronous: 'normal' });

    expect(await after.playbooks.list()).toEqual([aPlaybook(1)]);
    expect(await after.journal.open(executionId(1), mainWalk)).toEqual({
      run: aRun(1),
      walk: aWalk(1),
      variables: { __a__: text('1') },
    });
    expect(await after.journal.steps(executionId(1))).toEqual([{ record: aStep('w#1'), count: 1 }]);
    expect(await after.manual.list()).toEqual([aCommand(1, 1)]);
    expect((await after.runs.create(aNewRun(2, { idempotencyKey: 'key' }))).created).toBe(false);
    await after.close();
  });

  test('two services on one file see each other and never both take a turn', async () => {
    const path = temporaryDatabase();
    const one = createSqliteStores({ path, synchronous: 'normal' });
    const two = createSqliteStores({ path, synchronous: 'normal' });
    await one.runs.create(aNewRun(1));

    const outcomes = [
      await two.journal.commit(aCommit(1, 0, { variables: { __by__: text('two') } })),
      await one.journal.commit(aCommit(1, 0, { variables: { __by__: text('one') } })),
    ];

    expect(outcomes).toEqual(['committed', 'stale']);
    expect(await one.journal.written(executionId(1), mainWalk)).toEqual({ __by__: text('two') });
    await Promise.all([one.close(), two.close()]);
  });
});
