/** What every RunJournal promises. */

import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anEnd,
  anOngoingStep,
  aRun,
  aStep,
  aWalk,
  executionId,
  stepId,
  tamper,
  text,
  walkId,
} from './builders.ts';
import { begun, type CreateStores } from './opened.ts';
import { runVariablesContract } from './run-variables.contract.ts';
import { stepRecordsContract } from './step-records.contract.ts';

const run = executionId(1);

export function runJournalContract(create: CreateStores): void {
  describe('run journal', () => {
    describe('turns', () => {
      turns(create);
    });
    describe('atomicity', () => {
      atomicity(create);
    });
    describe('variables', () => {
      runVariablesContract(create);
    });
    describe('step records', () => {
      stepRecordsContract(create);
    });
  });
}

function turns(create: CreateStores): void {
  test('a committed turn is where the walk stands', async () => {
    const { journal } = await begun(create);
    const walk = aWalk(1, {
      effect: { kind: 'ask', step: stepId(2), invocation: 4, startedMs: 5, question: 1 },
      memo: {
        branches: [walkId('w.1-0')],
        answered: { variables: { __a__: text('x') }, commandsB64: ['YQ=='] },
      },
    });

    expect(await journal.commit(aCommit(1, 0, { walk }))).toBe('committed');

    expect((await journal.open(run, mainWalk))?.walk).toStrictEqual(walk);
  });

  test('an unknown run or walk cannot be opened, begun or committed', async () => {
    const { journal } = await begun(create);
    const unknown = walkId('w.1-0');

    expect(await journal.open(executionId(2), mainWalk)).toBeUndefined();
    expect(await journal.open(run, unknown)).toBeUndefined();
    expect(await journal.begin(executionId(2), mainWalk, 0, aStep('w#1'))).toBe('stale');
    expect(await journal.begin(run, unknown, 0, aStep('w#1'))).toBe('stale');
    expect(await journal.commit(aCommit(2, 0))).toBe('stale');
    expect(await journal.commit(aCommit(1, 0, { walkId: unknown }))).toBe('stale');
    expect(await journal.written(executionId(2), mainWalk)).toEqual({});
    expect(await journal.written(run, unknown)).toEqual({});
    expect(await journal.steps(executionId(2))).toEqual([]);
  });

  test('a turn is committed once; earlier and later turns are stale', async () => {
    const { journal } = await begun(create);
    await journal.commit(aCommit(1, 0));

    expect(await journal.commit(aCommit(1, 0))).toBe('stale');
    expect(await journal.commit(aCommit(1, 2))).toBe('stale');
    expect(await journal.commit(aCommit(1, 1))).toBe('committed');
  });

  test('of many concurrent commits of one turn exactly one applies, whole', async () => {
    const { journal } = await begun(create);
    const commits = Array.from({ length: 12 }, (_, n) =>
      aCommit(1, 0, {
        variables: { __winner__: text(`${n}`) },
        steps: [aStep('w#1', { name: `${n}` })],
      }),
    );

    const outcomes = await Promise.all(commits.map((commit) => journal.commit(commit)));

    const winners = commits.filter((_, n) => outcomes[n] === 'committed');
    expect(winners).toHaveLength(1);
    expect(await journal.written(run, mainWalk)).toEqual(winners[0]?.variables);
    expect((await journal.steps(run)).map(({ record }) => record)).toEqual(winners[0]?.steps);
  });

  test('beginning a turn counts how often that happened', async () => {
    const { journal } = await begun(create);

    const counts = [
      await journal.begin(run, mainWalk, 0, anOngoingStep('w#1')),
      await journal.begin(run, mainWalk, 0, anOngoingStep('w#1', { interruptions: 1 })),
      await journal.begin(run, mainWalk, 0, anOngoingStep('w#1', { interruptions: 2 })),
    ];

    expect(counts).toEqual([1, 2, 3]);
    expect((await journal.open(run, mainWalk))?.walk).toEqual(aWalk(0, { attempts: 3 }));
    expect(await journal.steps(run)).toEqual([
      { record: anOngoingStep('w#1', { interruptions: 2 }), count: 1 },
    ]);
  });

  test('concurrent beginnings of a turn are all counted', async () => {
    const { journal } = await begun(create);

    const counts = await Promise.all(
      Array.from({ length: 8 }, () => journal.begin(run, mainWalk, 0, anOngoingStep('w#1'))),
    );

    expect(counts.map(Number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('the next turn has not begun yet', async () => {
    const { journal } = await begun(create);
    await journal.begin(run, mainWalk, 0, anOngoingStep('w#1'));

    await journal.commit(aCommit(1, 0, { steps: [aStep('w#1')] }));

    expect((await journal.open(run, mainWalk))?.walk.attempts).toBe(0);
    expect(await journal.begin(run, mainWalk, 1, anOngoingStep('w#2'))).toBe(1);
  });

  test('beginning a turn that has passed, or has not come, is stale and records nothing', async () => {
    const { journal } = await begun(create);
    await journal.commit(aCommit(1, 0, { steps: [aStep('w#1')] }));

    expect(await journal.begin(run, mainWalk, 0, anOngoingStep('w#1'))).toBe('stale');
    expect(await journal.begin(run, mainWalk, 2, anOngoingStep('w#3'))).toBe('stale');

    expect(await journal.steps(run)).toEqual([{ record: aStep('w#1'), count: 1 }]);
    expect((await journal.open(run, mainWalk))?.walk.attempts).toBe(0);
  });

  test('the last turn ends the run, and later text of it is kept', async () => {
    const { journal, runs } = await begun(create);
    const end = {
      status: 'failed',
      statusText: 'something went wrong',
      errors: ['first', 'second'],
      endedMs: 5_000,
    } as const;

    await journal.commit(anEnd(1, 0, { run: end }));

    expect(await runs.get(run)).toStrictEqual(aRun(1, end));
    expect((await journal.open(run, mainWalk))?.run).toStrictEqual(aRun(1, end));
  });

  test('what was opened stays as it was when the walk goes on', async () => {
    const { journal } = await begun(create);
    const before = await journal.open(run, mainWalk);

    await journal.commit(aCommit(1, 0, { variables: { __a__: text('later') } }));

    expect(before).toEqual({ run: aRun(1), walk: aWalk(0), variables: {} });
  });

  test('changing what was given or read changes nothing in the store', async () => {
    const { journal } = await begun(create);
    const frames = [...aWalk(1).state.frames];
    const walk = aWalk(1, { state: { frames, invocations: 1, errors: [] } });
    const given = { __a__: { type: 'string', value: 'kept' } };
    await journal.commit(aCommit(1, 0, { walk, variables: given, steps: [aStep('w#1')] }));

    frames.length = 0;
    given.__a__.value = 'changed';
    const open = await journal.open(run, mainWalk);
    tamper(open?.variables['__a__'], (variable) => {
      variable['value'] = 'changed';
    });
    tamper(open?.walk.state.frames[0], (frame) => {
      frame['kind'] = 'branch';
    });
    tamper((await journal.steps(run))[0]?.record, (record) => {
      record['status'] = 'failed';
    });

    const again = await journal.open(run, mainWalk);
    expect(again?.variables).toEqual({ __a__: text('kept') });
    expect(again?.walk.state.frames).toEqual(aWalk(1).state.frames);
    expect(await journal.steps(run)).toEqual([{ record: aStep('w#1'), count: 1 }]);
  });
}

function atomicity(create: CreateStores): void {
  test('a stale commit writes nothing at all', async () => {
    const { journal, runs, manual } = await begun(create);
    const branch = walkId('w.1-0');
    const walks = [aWalk(0, { walkId: branch })];
    await journal.commit(aCommit(1, 0, { variables: { __a__: text('1') }, walks }));
    await journal.commit(aCommit(1, 0, { walkId: branch, variables: { __b__: text('1') } }));

    const outcome = await journal.commit({
      ...anEnd(1, 0),
      variables: { __a__: text('2'), __new__: text('2') },
      steps: [aStep('w#9')],
      walks: [aWalk(0, { walkId: walkId('w.1-1') })],
      joined: [branch],
      child: aNewRun(2),
      ask: aCommand(1, 1),
    });

    expect(outcome).toBe('stale');
    expect(await journal.open(run, mainWalk)).toEqual({
      run: aRun(1),
      walk: aWalk(1),
      variables: { __a__: text('1') },
    });
    expect(await journal.steps(run)).toEqual([]);
    expect(await journal.open(run, walkId('w.1-1'))).toBeUndefined();
    expect(await journal.written(run, branch)).toEqual({ __b__: text('1') });
    expect(await runs.get(executionId(2))).toBeUndefined();
    expect(await manual.list()).toEqual([]);
  });

  test('a commit that cannot be written leaves nothing behind', async () => {
    const { journal, runs, manual } = await begun(create);
    const unwritable = { type: 'string', value: () => 'no JSON' } as never;
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;

    const attempt = journal.commit({
      ...anEnd(1, 0),
      variables: { __a__: text('1') },
      steps: [aStep('w#1')],
      ask: aCommand(1, 1),
      child: aNewRun(2, { variables: { __bad__: unwritable, __worse__: circular as never } }),
    });

    await expect(attempt).rejects.toThrow();
    expect(await journal.open(run, mainWalk)).toEqual({
      run: aRun(1),
      walk: aWalk(0),
      variables: {},
    });
    expect(await journal.steps(run)).toEqual([]);
    expect(await runs.get(executionId(2))).toBeUndefined();
    expect(await manual.list()).toEqual([]);
    expect(await journal.commit(aCommit(1, 0))).toBe('committed');
  });

  test('a child begins with the turn that calls it', async () => {
    const { journal, runs } = await begun(create);
    const parent = { executionId: run, stepId: stepId(4) };
    const child = aNewRun(2, {
      run: aRun(2, { parent, depth: 1 }),
      variables: { __given__: text('by the caller') },
    });

    await journal.commit(aCommit(1, 0, { child }));

    expect(await runs.get(executionId(2))).toStrictEqual(child.run);
    expect(await runs.snapshot(executionId(2))).toEqual(child.snapshot);
    expect(await journal.open(executionId(2), mainWalk)).toEqual({
      run: child.run,
      walk: child.walk,
      variables: child.variables,
    });
    expect(await journal.written(executionId(2), mainWalk)).toEqual({});
  });

  test.for(['pause', 'cancel'] as const)(
    'a child begun after an operator asked to %s its parent begins like that',
    async (control) => {
      const { journal, runs } = await begun(create);
      await runs.setControl(run, control);

      await journal.commit(aCommit(1, 0, { child: aNewRun(2) }));

      expect(await runs.get(executionId(2))).toStrictEqual(aRun(2, { control }));
      expect((await journal.open(executionId(2), mainWalk))?.run.control).toBe(control);
    },
  );

  test('a child begun while an operator asks to cancel its parent never misses it', async () => {
    const { journal, runs } = await begun(create);

    await Promise.all([
      journal.commit(aCommit(1, 0, { child: aNewRun(2) })),
      runs.setControl(run, 'cancel').then(() => runs.setControl(executionId(2), 'cancel')),
    ]);

    expect((await runs.get(executionId(2)))?.control).toBe('cancel');
  });

  test('branches advance side by side without disturbing each other', async () => {
    const { journal } = await begun(create);
    const branches = ['w.1-0', 'w.1-1', 'w.1-2'].map(walkId);
    const walks = branches.map((id) => aWalk(0, { walkId: id }));
    await journal.commit(aCommit(1, 0, { walks }));

    await Promise.all(
      branches.map(async (id) => {
        for (let turn = 0; turn < 10; turn += 1) {
          const name = `${id}#${turn}`;
          await journal.begin(run, id, turn, anOngoingStep(name));
          const wrote = { [`__${id.replaceAll('.', '_')}__`]: text(`${turn}`) };
          const steps = [aStep(name)];
          await journal.commit(aCommit(1, turn, { walkId: id, variables: wrote, steps }));
        }
      }),
    );

    for (const id of branches) {
      expect((await journal.open(run, id))?.walk.turn).toBe(10);
      expect(Object.values(await journal.written(run, id))).toEqual([text('9')]);
    }
    const steps = await journal.steps(run);
    expect(steps.map(({ count }) => count)).toEqual(steps.map(() => 30));
    expect(new Set(steps.map(({ record }) => record.invocation)).size).toBe(30);
  });
}
