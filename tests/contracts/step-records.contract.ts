/** What every RunJournal promises of the records of steps. */

import { expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import type { StepRecord } from '../../core/execution/run.ts';
import type { Stores } from '../../core/ports/stores.ts';
import {
  aCommit,
  aNewRun,
  anOngoingStep,
  aStep,
  executionId,
  playbookId,
  stepId,
  text,
} from './builders.ts';
import { begun, type CreateStores } from './opened.ts';

const run = executionId(1);

export function stepRecordsContract(create: CreateStores): void {
  async function record({ journal }: Stores, turn: number, ...steps: StepRecord[]) {
    expect(await journal.commit(aCommit(1, turn, { steps }))).toBe('committed');
  }

  async function invocations({ journal }: Stores): Promise<readonly string[]> {
    return (await journal.steps(run)).map((step) => step.record.invocation);
  }

  test('a record is kept exactly', async () => {
    const stores = await begun(create);
    const full = aStep('w#1', {
      name: '\u0000 \ud800',
      description: 'd',
      status: 'timeout_error',
      errors: ['one', 'two'],
      startedMs: 1_700_000_000_123,
      executedBy: 'alice',
      commandsB64: ['YQ==', ''],
      variables: { __a__: { type: 'string', value: 'v' } },
      automated: false,
      interruptions: 2,
      child: { executionId: executionId(9), playbookId: playbookId(9) },
    });

    await record(stores, 0, full);

    expect(await stores.journal.steps(run)).toStrictEqual([{ record: full, count: 1 }]);
  });

  test('the end of a step replaces its beginning at the same place', async () => {
    const stores = await begun(create);
    await stores.journal.begin(run, mainWalk, 0, anOngoingStep('w#1'));
    await record(stores, 0, anOngoingStep('w#2', { stepId: stepId(2) }));
    await record(stores, 1, aStep('w#3', { stepId: stepId(3) }), aStep('w#1'));

    const steps = await stores.journal.steps(run);

    expect(steps).toEqual([
      { record: aStep('w#1'), count: 1 },
      { record: anOngoingStep('w#2', { stepId: stepId(2) }), count: 1 },
      { record: aStep('w#3', { stepId: stepId(3) }), count: 1 },
    ]);
  });

  test('records of one commit keep their order; repeated invocations of a step are counted', async () => {
    const stores = await begun(create);
    const two = { stepId: stepId(2) };

    await record(stores, 0, aStep('w#1'), aStep('w#2', two), aStep('w#10'));
    await record(stores, 1, aStep('w#9', two), aStep('w#11'));

    const steps = await stores.journal.steps(run);
    expect(steps.map((step) => [step.record.invocation, step.count])).toEqual([
      ['w#1', 3],
      ['w#2', 2],
      ['w#10', 3],
      ['w#9', 2],
      ['w#11', 3],
    ]);
  });

  test('per step the newest 51 invocations are kept and all are counted', async () => {
    const stores = await begun(create);
    await record(stores, 0, aStep('other', { stepId: stepId(2) }));

    for (let n = 1; n <= 120; n += 1) {
      await stores.journal.begin(run, mainWalk, n, anOngoingStep(`w#${n}`));
      await record(stores, n, aStep(`w#${n}`, { name: `turn ${n}` }));
    }

    const steps = await stores.journal.steps(run);
    const names = Array.from({ length: 51 }, (_, index) => `w#${70 + index}`);
    expect(await invocations(stores)).toEqual(['other', ...names]);
    expect(steps.map(({ count }) => count)).toEqual([1, ...names.map(() => 120)]);
    expect(steps.at(-1)?.record.name).toBe('turn 120');
  });

  test('the 52nd invocation is the first one that costs an older one its place', async () => {
    const stores = await begun(create);
    const names = Array.from({ length: 52 }, (_, n) => `w#${n}`);
    await record(stores, 0, ...names.slice(0, 51).map((name) => aStep(name)));

    expect(await invocations(stores)).toEqual(names.slice(0, 51));
    await record(stores, 1, aStep('w#51'));
    expect(await invocations(stores)).toEqual(names.slice(1));
  });

  test('a commit with more invocations than are kept leaves the newest', async () => {
    const stores = await begun(create);
    const names = Array.from({ length: 200 }, (_, n) => `w#${n}`);

    await record(stores, 0, ...names.map((name) => aStep(name)));

    expect(await invocations(stores)).toEqual(names.slice(-51));
    expect((await stores.journal.steps(run))[0]?.count).toBe(200);
  });

  test('a step still in flight keeps its place until its end is recorded', async () => {
    const stores = await begun(create);
    await record(stores, 0, anOngoingStep('slow'));
    const names = Array.from({ length: 60 }, (_, n) => `w#${n}`);
    await record(stores, 1, ...names.map((name) => aStep(name)));

    const meanwhile = await stores.journal.steps(run);
    await record(stores, 2, aStep('slow'));
    const after = await stores.journal.steps(run);

    expect(meanwhile[0]).toEqual({ record: anOngoingStep('slow'), count: 61 });
    expect(meanwhile.slice(1).map((step) => step.record.invocation)).toEqual(names.slice(-51));
    expect(after.map((step) => step.record.invocation)).toEqual(names.slice(-51));
    expect(after[0]?.count).toBe(61);
  });

  test('steps of different runs with the same names are different steps', async () => {
    const stores = await begun(create);
    await stores.runs.create(aNewRun(2));
    await record(stores, 0, aStep('w#1', { name: 'of run 1' }));

    await stores.journal.commit(aCommit(2, 0, { steps: [aStep('w#1', { name: 'of run 2' })] }));

    expect(await stores.journal.steps(run)).toEqual([
      { record: aStep('w#1', { name: 'of run 1' }), count: 1 },
    ]);
  });

  test('a run of 10,000 steps keeps them all, in their order', async () => {
    const stores = await begun(create);
    const perTurn = 500;

    for (let turn = 0; turn < 20; turn += 1) {
      const numbers = Array.from({ length: perTurn }, (_, n) => turn * perTurn + n);
      const steps = numbers.map((n) => aStep(`w#${n}`, { stepId: stepId(n) }));
      await record(stores, turn, ...steps);
    }

    const names = Array.from({ length: 10_000 }, (_, n) => `w#${n}`);
    expect(await invocations(stores)).toEqual(names);
  });

  test('a record with a value of 5 MB is kept whole', async () => {
    const stores = await begun(create);
    const large = aStep('w#1', { variables: { __large__: text('x'.repeat(5_000_000)) } });

    await record(stores, 0, large);

    const [kept] = await stores.journal.steps(run);
    expect(JSON.stringify(kept?.record) === JSON.stringify(large)).toBe(true);
  });
}
