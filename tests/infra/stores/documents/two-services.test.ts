/** Two services on one database, each with its own memory of it. */

import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { createDocumentStores } from '../../../../infra/stores/documents/create-document-stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anOngoingStep,
  aPlaybook,
  aRun,
  aStep,
  aWalk,
  executionId,
  playbookId,
  stepId,
  text,
  walkId,
} from '../../../contracts/builders.ts';
import { MemoryDocuments } from './memory-documents.ts';

const run = executionId(1);

async function twoServices() {
  const documents = new MemoryDocuments();
  const [one, two] = [createDocumentStores(documents), createDocumentStores(documents.share())];
  await one.runs.create(aNewRun(1));
  return { one, two, documents };
}

describe('two services', () => {
  test('advance the branches of a run side by side without losing anything', async () => {
    const { one, two } = await twoServices();
    const branches = [walkId('w.1-0'), walkId('w.1-1')];
    const walks = branches.map((id) => aWalk(0, { walkId: id }));
    await one.journal.commit(aCommit(1, 0, { walks }));

    await Promise.all(
      branches.map(async (id, index) => {
        const { journal } = index === 0 ? one : two;
        for (let turn = 0; turn < 40; turn += 1) {
          const [invocation, step] = [`${id}#${turn}`, stepId(index)];
          expect(
            await journal.begin(run, id, turn, anOngoingStep(invocation, { stepId: step })),
          ).toBe(1);
          const outcome = await journal.commit(
            aCommit(1, turn, {
              walkId: id,
              steps: [aStep(invocation, { stepId: step })],
              variables: { __turn__: text(`${turn}`), __large__: text(`${turn}`.repeat(3_000)) },
            }),
          );
          expect(outcome).toBe('committed');
        }
      }),
    );

    for (const id of branches) {
      expect((await two.journal.open(run, id))?.walk.turn).toBe(40);
      expect(await one.journal.written(run, id)).toMatchObject({ __turn__: text('39') });
    }
    const steps = await one.journal.steps(run);
    expect(steps.map(({ count }) => count)).toEqual(steps.map(() => 40));
    expect(new Set(steps.map(({ record }) => record.invocation)).size).toBe(80);
  });

  test('never both take a turn, answer a question or count a beginning as the same', async () => {
    const { one, two } = await twoServices();
    for (const { journal } of [one, two]) await journal.open(run, mainWalk);
    const by = (who: string) =>
      aCommit(1, 0, { variables: { __by__: text(who) }, ask: aCommand(1, 1) });

    const counts = await Promise.all(
      [one, two, one, two].map(({ journal }) => journal.begin(run, mainWalk, 0, aStep('w#1'))),
    );
    const outcomes = await Promise.all([
      one.journal.commit(by('one')),
      two.journal.commit(by('two')),
    ]);
    const expired = { kind: 'expired' } as const;
    const settled = await Promise.all(
      [one, two].map(({ manual }) => manual.settle(run, stepId(1), 1, expired)),
    );

    expect(counts.map(Number).sort()).toEqual([1, 2, 3, 4]);
    expect(outcomes.toSorted()).toEqual(['committed', 'stale']);
    const winner = text(outcomes[0] === 'committed' ? 'one' : 'two');
    expect(await one.journal.written(run, mainWalk)).toEqual({ __by__: winner });
    expect(settled.map((answer) => answer?.won).toSorted()).toEqual([false, true]);
  });

  test('create one run for one idempotency key', async () => {
    const { one, two } = await twoServices();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? one : two).runs.create(aNewRun(n + 10, { idempotencyKey: 'key' })),
      ),
    );

    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.run.executionId)).size).toBe(1);
    expect(await two.runs.list({ order: 'oldest-first' })).toHaveLength(2);
  });

  test('see at once what the other one has done', async () => {
    const { one, two } = await twoServices();
    await two.journal.open(run, mainWalk);

    await one.runs.setControl(run, 'pause');
    await one.journal.commit(aCommit(1, 0, { run: { statusText: 'by one' } }));

    expect((await two.journal.open(run, mainWalk))?.run).toEqual(
      aRun(1, { control: 'pause', statusText: 'by one' }),
    );
    expect(await two.journal.commit(aCommit(1, 0))).toBe('stale');
    expect(await two.journal.commit(aCommit(1, 1))).toBe('committed');
    await one.runs.purge(0, 1);
    expect(await two.runs.get(run)).toEqual((await one.runs.get(run)) ?? undefined);
  });

  test('believe what they remember of a run only as long as it is true', async () => {
    const { one, two } = await twoServices();
    await two.journal.open(run, mainWalk);
    await one.journal.commit(aCommit(1, 0));

    expect(await two.journal.commit(aCommit(1, 1))).toBe('committed');
    expect(await one.journal.begin(run, mainWalk, 2, aStep('w#1'))).toBe(1);
    expect(await two.runs.setControl(run, 'pause')).toBe(true);
  });

  test('leave nothing of a turn the other one has taken meanwhile', async () => {
    const { one, two, documents } = await twoServices();
    const large = { variables: { __large__: text('x'.repeat(300_000)) } };
    await two.journal.open(run, mainWalk);
    await one.journal.commit(aCommit(1, 0, large));
    const before = documents.all('parts').length;

    expect(await two.journal.commit(aCommit(1, 0, large))).toBe('stale');

    expect(documents.all('parts')).toHaveLength(before);
  });

  test('read the steps of a loop although the other one moves them meanwhile', async () => {
    const { one, documents } = await twoServices();
    const loop = async (from: number, to: number) => {
      for (let turn = from; turn < to; turn += 1) {
        const steps = [aStep(`w#${turn}`, { name: `${turn}` })];
        await one.journal.commit(aCommit(1, turn, { steps }));
      }
    };
    await loop(0, 100);
    const slow = documents.share();
    const two = createDocumentStores(slow);
    slow.onRequest = async (request, table) => {
      if (request !== 'query' || table !== 'parts') return;
      slow.onRequest = () => {};
      await loop(100, 500);
    };

    const steps = await two.journal.steps(run);

    expect(steps.map(({ record }) => record.name)).toEqual(
      Array.from({ length: 51 }, (_, n) => `${449 + n}`),
    );
    expect(steps[0]?.count).toBe(500);
  });

  test('replace a playbook one after the other, and readers see either of them whole', async () => {
    const { one, two } = await twoServices();
    const filled = (letter: string) => aPlaybook(1, { filler: letter.repeat(500_000) });
    await one.playbooks.add(playbookId(1), filled('a'));

    const writing = ['b', 'c', 'd', 'e'].map((letter, n) =>
      (n % 2 === 0 ? one : two).playbooks.replace(playbookId(1), filled(letter)),
    );
    const read = await Promise.all([1, 2, 3].map(() => two.playbooks.get(playbookId(1))));
    const answers = await Promise.all(writing);

    expect(answers.every(({ ok }) => ok)).toBe(true);
    for (const document of read) expect(String(document?.['filler'])).toMatch(/^(a+|b+|c+|d+|e+)$/);
  });
});

test('what a run keeps in documents does not grow with the turns of a loop', async () => {
  const { one, documents } = await twoServices();
  const sizes: number[] = [];
  let requests = 0;
  documents.onRequest = () => {
    requests += 1;
  };

  for (let turn = 0; turn < 3_000; turn += 1) {
    await one.journal.commit(aCommit(1, turn, { steps: [aStep(`w#${turn}`)] }));
    sizes.push(documents.all('parts').length);
  }

  expect(Math.max(...sizes)).toBeLessThan(60);
  expect(requests / 3_000).toBeLessThan(1.3);
});
