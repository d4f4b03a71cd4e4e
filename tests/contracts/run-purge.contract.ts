/** Retention: what `RunStore.purge` removes and what it must leave. */

import { expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anEnd,
  aRun,
  aStep,
  aWalk,
  executionId,
  playbookId,
  stepId,
  text,
  walkId,
} from './builders.ts';
import { type CreateStores, opened } from './opened.ts';

export function purgeContract(create: CreateStores): void {
  /** Runs 1 to `count` in this order, those of `finished` over. */
  async function runsWith(count: number, finished: readonly number[]): Promise<Stores> {
    const stores = await opened(create);
    for (let n = 1; n <= count; n += 1) await stores.runs.create(aNewRun(n));
    for (const n of finished) await stores.journal.commit(anEnd(n));
    return stores;
  }

  async function kept({ runs }: Stores): Promise<readonly string[]> {
    const all = await runs.list({ order: 'oldest-first' });
    return all.map(({ executionId: id }) => id);
  }

  test('the finished runs that began first go first, until enough remain', async () => {
    const stores = await runsWith(6, [6, 5, 3, 2, 1]);

    const forgotten = await stores.runs.purge(3, 100);

    expect(forgotten).toEqual([1, 2, 3].map(executionId));
    expect(await kept(stores)).toEqual([4, 5, 6].map(executionId));
  });

  test('running runs are never forgotten, however many there are', async () => {
    const stores = await runsWith(5, [2, 4]);

    expect(await stores.runs.purge(0, 100)).toEqual([2, 4].map(executionId));
    expect(await stores.runs.purge(0, 100)).toEqual([]);
    expect(await kept(stores)).toEqual([1, 3, 5].map(executionId));
  });

  test('nothing is forgotten while there are not too many runs', async () => {
    const stores = await runsWith(3, [1, 2, 3]);

    expect(await stores.runs.purge(3, 100)).toEqual([]);
    expect(await stores.runs.purge(10, 100)).toEqual([]);
    expect(await kept(stores)).toHaveLength(3);
  });

  test('one call forgets no more than it was told, the next call goes on', async () => {
    const stores = await runsWith(7, [1, 2, 3, 4, 5, 6, 7]);

    expect(await stores.runs.purge(1, 4)).toEqual([1, 2, 3, 4].map(executionId));
    expect(await stores.runs.purge(1, 4)).toEqual([5, 6].map(executionId));
    expect(await kept(stores)).toEqual([executionId(7)]);
  });

  test('everything of a forgotten run is gone, and nothing of its neighbours', async () => {
    const { runs, journal, manual } = await opened(create);
    for (const n of [1, 2]) {
      const variables = { __a__: text('initial') };
      await runs.create(aNewRun(n, { idempotencyKey: `key ${n}`, variables }));
      await journal.begin(executionId(n), mainWalk, 0, aStep('w#1'));
      const branch = walkId('w.1-0');
      await journal.commit(
        aCommit(n, 0, {
          variables: { __b__: text('written') },
          steps: [aStep('w#1')],
          walks: [aWalk(0, { walkId: branch })],
          ask: aCommand(n, 1),
        }),
      );
      await journal.commit(
        aCommit(n, 0, { walkId: branch, variables: { __c__: text('by the branch') } }),
      );
    }
    await journal.commit(anEnd(1, 1));

    expect(await runs.purge(1, 10)).toEqual([executionId(1)]);

    expect(await runs.get(executionId(1))).toBeUndefined();
    expect(await runs.snapshot(executionId(1))).toBeUndefined();
    expect(await journal.open(executionId(1), mainWalk)).toBeUndefined();
    expect(await journal.open(executionId(1), walkId('w.1-0'))).toBeUndefined();
    expect(await journal.written(executionId(1), mainWalk)).toEqual({});
    expect(await journal.written(executionId(1), walkId('w.1-0'))).toEqual({});
    expect(await journal.steps(executionId(1))).toEqual([]);
    expect(await manual.get(executionId(1), stepId(1))).toBeUndefined();
    expect(await manual.list()).toEqual([aCommand(2, 1)]);
    expect(await journal.steps(executionId(2))).toEqual([{ record: aStep('w#1'), count: 1 }]);
    expect(await journal.written(executionId(2), mainWalk)).toEqual({ __b__: text('written') });
    expect((await runs.create(aNewRun(1))).created).toBe(true);
    expect((await runs.create(aNewRun(4, { idempotencyKey: 'key 1' }))).created).toBe(true);
    expect((await journal.open(executionId(1), mainWalk))?.variables).toEqual({});
    expect((await runs.create(aNewRun(3, { idempotencyKey: 'key 2' }))).created).toBe(false);
  });

  test('a late turn of a forgotten run is stale', async () => {
    const { runs, journal } = await runsWith(1, [1]);
    await runs.purge(0, 1);

    expect(await journal.commit(aCommit(1, 1))).toBe('stale');
    expect(await journal.begin(executionId(1), mainWalk, 1, aStep('w#2'))).toBe('stale');
    expect(await journal.steps(executionId(1))).toEqual([]);
  });

  test('a finished child stays as long as its parent stands at the turn that began it', async () => {
    const stores = await opened(create);
    const { runs, journal } = stores;
    const parent = { executionId: executionId(1), stepId: stepId(1) };
    await runs.create(aNewRun(1));
    const called = { executionId: executionId(2), playbookId: playbookId(1) };
    await journal.commit(
      aCommit(1, 0, {
        walk: aWalk(1, { memo: { child: called } }),
        child: aNewRun(2, { run: aRun(2, { parent, depth: 1 }) }),
      }),
    );
    await journal.commit(anEnd(2, 0, { variables: { __result__: text('needed') } }));

    expect(await runs.purge(0, 10)).toEqual([]);
    expect(await journal.written(executionId(2), mainWalk)).toEqual({ __result__: text('needed') });

    await journal.commit(anEnd(1, 1));
    expect(await runs.purge(0, 10)).toEqual([1, 2].map(executionId));
  });
}
