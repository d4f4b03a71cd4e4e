/** What every RunStore promises. */

import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import type { Run } from '../../core/execution/run.ts';
import type { RunFilter } from '../../core/ports/run-store.ts';
import type { Stores } from '../../core/ports/stores.ts';
import {
  aCommit,
  aNewRun,
  anEnd,
  aRun,
  executionId,
  playbookId,
  stepId,
  tamper,
  text,
} from './builders.ts';
import { type CreateStores, opened } from './opened.ts';
import { purgeContract } from './run-purge.contract.ts';
import { spelled, unusualJson } from './unusual-json.ts';

export function runStoreContract(create: CreateStores): void {
  describe('run store', () => {
    describe('creating', () => {
      creating(create);
    });
    describe('listing', () => {
      listing(create);
    });
    describe('control', () => {
      controlling(create);
    });
    describe('retention', () => {
      purgeContract(create);
    });
  });
}

function creating(create: CreateStores): void {
  const full: Run = aRun(1, {
    name: '\u0000 \ud800 name',
    description: 'why',
    errors: ['first', 'second'],
    startedMs: 1_700_000_000_123,
    parent: { executionId: executionId(7), stepId: stepId(3) },
    depth: 2,
    parallel: 'concurrent',
    control: 'pause',
    caller: 'alice',
  });

  test('a created run is found with its snapshot and its first walk', async () => {
    const { runs, journal } = await opened(create);
    const variables = { __a__: text('1') };

    const answer = await runs.create(aNewRun(1, { run: full, snapshot: unusualJson, variables }));

    expect(answer).toStrictEqual({ created: true, run: full });
    expect(await runs.get(executionId(1))).toStrictEqual(full);
    expect(spelled(await runs.snapshot(executionId(1)))).toBe(spelled(unusualJson));
    expect(await journal.open(executionId(1), mainWalk)).toStrictEqual({
      run: full,
      walk: aNewRun(1).walk,
      variables,
    });
  });

  test('an unknown run has neither header nor snapshot', async () => {
    const { runs } = await opened(create);

    expect(await runs.get(executionId(1))).toBeUndefined();
    expect(await runs.snapshot(executionId(1))).toBeUndefined();
  });

  test('creating an execution id again answers the first run and changes nothing', async () => {
    const { runs, journal } = await opened(create);
    await runs.create(aNewRun(1, { variables: { __a__: text('first') } }));

    const again = await runs.create(
      aNewRun(1, { run: aRun(1, { name: 'second' }), variables: { __a__: text('second') } }),
    );

    expect(again).toEqual({ created: false, run: aRun(1) });
    expect(await runs.list({ order: 'oldest-first' })).toEqual([aRun(1)]);
    const open = await journal.open(executionId(1), mainWalk);
    expect(open?.variables).toEqual({ __a__: text('first') });
  });

  test('a repeated idempotency key answers the first run as it is now and creates nothing', async () => {
    const { runs } = await opened(create);
    await runs.create(aNewRun(1, { idempotencyKey: 'key' }));
    await runs.setControl(executionId(1), 'pause');

    const again = await runs.create(aNewRun(2, { idempotencyKey: 'key' }));

    expect(again).toEqual({ created: false, run: aRun(1, { control: 'pause' }) });
    expect(await runs.get(executionId(2))).toBeUndefined();
  });

  test('different idempotency keys, and none, create different runs', async () => {
    const { runs } = await opened(create);

    const answers = [
      await runs.create(aNewRun(1, { idempotencyKey: 'key' })),
      await runs.create(aNewRun(2, { idempotencyKey: 'KEY' })),
      await runs.create(aNewRun(3)),
      await runs.create(aNewRun(4)),
    ];

    expect(answers.map(({ created }) => created)).toEqual([true, true, true, true]);
  });

  test('of many concurrent triggers with one idempotency key one run comes into being', async () => {
    const { runs } = await opened(create);

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => runs.create(aNewRun(n, { idempotencyKey: 'key' }))),
    );

    const winners = answers.filter(({ created }) => created);
    expect(winners).toHaveLength(1);
    expect(new Set(answers.map(({ run }) => run.executionId)).size).toBe(1);
    expect(await runs.list({ order: 'oldest-first' })).toEqual(winners.map(({ run }) => run));
  });

  test('changing what was given or read changes nothing in the store', async () => {
    const { runs } = await opened(create);
    const errors = ['kept'];
    const given = aNewRun(1, { run: aRun(1, { errors }) });

    const { run } = await runs.create(given);
    errors.push('smuggled in');
    tamper(run.errors, (list) => {
      list['0'] = 'changed';
    });
    tamper(await runs.snapshot(executionId(1)), (snapshot) => {
      snapshot['name'] = 'changed';
    });
    tamper(await runs.get(executionId(1)), (header) => {
      header['status'] = 'failed';
    });

    expect(await runs.get(executionId(1))).toEqual(aRun(1, { errors: ['kept'] }));
    expect(await runs.snapshot(executionId(1))).toEqual(given.snapshot);
  });
}

function listing(create: CreateStores): void {
  /** Runs 1 to 6; 2, 3 and 5 are over, 3 and 4 are of another playbook, 5 and 6 began together. */
  async function sixRuns(): Promise<Stores> {
    const stores = await opened(create);
    const other = { playbookId: playbookId(2) };
    for (const run of [
      aRun(4, { startedMs: 40, ...other }),
      aRun(1, { startedMs: 10 }),
      aRun(3, { startedMs: 30, ...other }),
      aRun(2, { startedMs: 20 }),
      aRun(5, { startedMs: 50 }),
      aRun(6, { startedMs: 50 }),
    ]) {
      await stores.runs.create(aNewRun(1, { run }));
    }
    for (const n of [5, 3, 2]) await stores.journal.commit(anEnd(n));
    return stores;
  }

  const cases: readonly (readonly [string, Omit<RunFilter, 'order'>, readonly number[]])[] = [
    ['all runs', {}, [1, 2, 3, 4, 5, 6]],
    ['finished runs', { finished: true }, [2, 3, 5]],
    ['running runs', { finished: false }, [1, 4, 6]],
    ['runs of one playbook', { playbookId: playbookId(2) }, [3, 4]],
    ['finished runs of one playbook', { playbookId: playbookId(1), finished: true }, [2, 5]],
    ['running runs of one playbook', { playbookId: playbookId(2), finished: false }, [4]],
    ['runs of an unknown playbook', { playbookId: playbookId(9) }, []],
  ];

  test.for(cases)(
    '%s are listed by their start, ties by their creation',
    async ([, filter, ns]) => {
      const { runs } = await sixRuns();

      const oldest = await runs.list({ ...filter, order: 'oldest-first' });
      const newest = await runs.list({ ...filter, order: 'newest-first' });

      expect(oldest.map(({ executionId: id }) => id)).toEqual(ns.map(executionId));
      expect(newest).toEqual([...oldest].reverse());
    },
  );

  test('a limit keeps the first ones of the order', async () => {
    const { runs } = await sixRuns();

    const oldest = await runs.list({ finished: true, order: 'oldest-first', limit: 2 });
    const newest = await runs.list({ order: 'newest-first', limit: 3 });

    expect(oldest.map(({ executionId: id }) => id)).toEqual([2, 3].map(executionId));
    expect(newest.map(({ executionId: id }) => id)).toEqual([6, 5, 4].map(executionId));
  });

  test('a listed run is the same as the one found by its id', async () => {
    const { runs } = await sixRuns();

    const [first] = await runs.list({ finished: true, order: 'oldest-first' });

    expect(first).toStrictEqual(await runs.get(executionId(2)));
    expect(first?.status).toBe('successfully_executed');
  });

  test('nothing is listed of an empty store', async () => {
    const { runs } = await opened(create);

    expect(await runs.list({ order: 'newest-first' })).toEqual([]);
  });
}

function controlling(create: CreateStores): void {
  test('what an operator asks of a running execution is kept until he asks otherwise', async () => {
    const { runs, journal } = await opened(create);
    await runs.create(aNewRun(1));

    expect(await runs.setControl(executionId(1), 'pause')).toBe(true);
    await journal.commit(aCommit(1, 0, { run: { statusText: 'paused' } }));

    const expected = aRun(1, { control: 'pause', statusText: 'paused' });
    expect((await journal.open(executionId(1), mainWalk))?.run).toEqual(expected);
    expect(await runs.setControl(executionId(1), 'go')).toBe(true);
    expect((await runs.get(executionId(1)))?.control).toBe('go');
  });

  test('nothing can be asked of a finished or unknown execution', async () => {
    const { runs, journal } = await opened(create);
    await runs.create(aNewRun(1));
    await journal.commit(anEnd(1));
    const before = await runs.get(executionId(1));

    expect(await runs.setControl(executionId(1), 'cancel')).toBe(false);
    expect(await runs.setControl(executionId(2), 'cancel')).toBe(false);
    expect(await runs.get(executionId(1))).toEqual(before);
  });

  test('an operator who asks while a turn is recorded loses neither his wish nor the turn', async () => {
    const { runs, journal } = await opened(create);
    await runs.create(aNewRun(1));

    await Promise.all([
      journal.commit(aCommit(1, 0, { run: { statusText: 'text of the turn' } })),
      runs.setControl(executionId(1), 'cancel'),
    ]);

    const run = await runs.get(executionId(1));
    expect(run).toEqual(aRun(1, { control: 'cancel', statusText: 'text of the turn' }));
  });
}
