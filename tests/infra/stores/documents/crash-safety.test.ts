/**
 * The process dies at every request a change makes, one after the other: nothing may show until all of it
 * does, and whoever comes next finishes or repeats it.
 */

import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import type { Commit } from '../../../../core/ports/run-journal.ts';
import type { Stores } from '../../../../core/ports/stores.ts';
import { createDocumentStores } from '../../../../infra/stores/documents/create-document-stores.ts';
import { tableNames } from '../../../../infra/stores/documents/document-table.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anEnd,
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
const branch = walkId('w.1-0');
const large = text('x'.repeat(600_000));

/** Changes something of every kind, with values too large for the run's document. */
const turn: Commit = aCommit(1, 0, {
  variables: { __small__: text('1'), __large__: large },
  steps: [aStep('w#8'), aStep('w#9', { variables: { __large__: large } })],
  run: { statusText: 'turn 1' },
  walks: [aWalk(0, { walkId: branch })],
  child: aNewRun(2, { run: aRun(2, { parent: { executionId: run, stepId: stepId(1) } }) }),
  ask: aCommand(1, 1),
});

/** As many ended steps as leave the run's document with the next change. */
const earlier = Array.from({ length: 8 }, (_, n) => aStep(`w#${n}`));

async function begun(documents: MemoryDocuments): Promise<Stores> {
  const stores = createDocumentStores(documents);
  await stores.runs.create(aNewRun(1));
  await stores.journal.commit(
    aCommit(1, 0, { walk: aWalk(0), steps: earlier, variables: { __large__: text('before') } }),
  );
  return stores;
}

/** Everything anybody can see of run 1 and its child, the parent looked at first. */
async function seen({ journal, runs, manual }: Stores) {
  return {
    open: await journal.open(run, mainWalk),
    branch: await journal.open(run, branch),
    steps: await journal.steps(run),
    commands: await manual.list(),
    child: await journal.open(executionId(2), mainWalk),
    snapshot: await runs.snapshot(executionId(2)),
    running: await runs.list({ order: 'oldest-first' }),
  };
}

/** Lets `requests` requests pass and none after them. Answers whether the work came to its end. */
async function dyingAfter(
  documents: MemoryDocuments,
  requests: number,
  work: (stores: Stores) => Promise<unknown>,
): Promise<boolean> {
  let left = requests;
  const dying = documents.share();
  dying.onRequest = () => {
    left -= 1;
    if (left < 0) throw new Error('the process is dead');
  };
  return work(createDocumentStores(dying)).then(
    () => true,
    () => false,
  );
}

/** A fresh process, as a service that starts again has it. */
function restarted(documents: MemoryDocuments): Stores {
  return createDocumentStores(documents.share());
}

/** Calls `check` for every number of requests after which the work may be cut, until it is not cut. */
async function forEveryCut(check: (requests: number) => Promise<boolean>): Promise<number> {
  for (let requests = 0; requests < 100; requests += 1) if (await check(requests)) return requests;
  throw new Error('The work never came to its end.');
}

function count(documents: MemoryDocuments): number {
  return tableNames.reduce((sum, name) => sum + documents.all(name).length, 0);
}

describe('a process that dies', () => {
  test('leaves a turn recorded whole or not at all, and it can be repeated', async () => {
    const documents = new MemoryDocuments();
    const stores = await begun(documents);
    const before = await seen(stores);
    await stores.journal.commit(turn);
    const after = await seen(stores);

    const cuts = await forEveryCut(async (requests) => {
      const cut = new MemoryDocuments();
      await begun(cut);
      const isWhole = await dyingAfter(cut, requests, ({ journal }) => journal.commit(turn));

      const found = await seen(restarted(cut));
      const isRecorded = found.open?.walk.turn === 1;
      expect(found).toEqual(isRecorded ? after : before);
      const repeated = await restarted(cut).journal.commit(turn);
      expect(repeated).toBe(isRecorded ? 'stale' : 'committed');
      expect(await seen(restarted(cut))).toEqual(after);
      return isWhole;
    });
    expect(cuts).toBeGreaterThan(8);
  });

  test('leaves a run ended or not, and the lists agree with the run', async () => {
    await forEveryCut(async (requests) => {
      const documents = new MemoryDocuments();
      await begun(documents);
      const isWhole = await dyingAfter(documents, requests, ({ journal }) =>
        journal.commit(anEnd(1, 0)),
      );

      const { runs } = restarted(documents);
      const header = await runs.get(run);
      const listed = await runs.list({ order: 'newest-first' });
      expect(listed).toEqual([header]);
      const finished = header?.status !== 'ongoing';
      expect(await runs.list({ finished: !finished, order: 'newest-first' })).toEqual([]);
      expect(await runs.list({ finished, order: 'newest-first' })).toEqual([header]);
      return isWhole;
    });
  });

  test('leaves a child in the lists, whenever it dies while the child ends', async () => {
    await forEveryCut(async (requests) => {
      const documents = new MemoryDocuments();
      await (await begun(documents)).journal.commit(turn);
      const isWhole = await dyingAfter(documents, requests, ({ journal }) =>
        journal.commit(anEnd(2, 0)),
      );

      const { runs, journal } = restarted(documents);
      await journal.open(run, mainWalk);

      const headers = [await runs.get(run), await runs.get(executionId(2))];
      expect(await runs.list({ order: 'oldest-first' })).toEqual(headers);
      return isWhole;
    });
  });

  test('leaves a run created or not, and its idempotency key brings one run forth', async () => {
    const first = aNewRun(1, { idempotencyKey: 'key', variables: { __large__: large } });
    const second = aNewRun(2, { idempotencyKey: 'key' });

    await forEveryCut(async (requests) => {
      const documents = new MemoryDocuments();
      const isWhole = await dyingAfter(documents, requests, ({ runs }) => runs.create(first));

      const { runs, journal } = restarted(documents);
      const header = await runs.get(run);
      expect(await runs.list({ order: 'oldest-first' })).toEqual(
        header === undefined ? [] : [header],
      );
      const repeated = await restarted(documents).runs.create(second);
      expect(repeated.created).toBe(header === undefined);
      expect(repeated.run).toEqual(header ?? second.run);
      expect(await restarted(documents).runs.list({ order: 'oldest-first' })).toEqual([
        repeated.run,
      ]);
      if (header !== undefined) {
        expect((await journal.open(run, mainWalk))?.variables).toEqual({ __large__: large });
        expect(await runs.snapshot(run)).toEqual(first.snapshot);
      }
      return isWhole;
    });
  });

  test('leaves nothing behind that forgetting the run does not remove', async () => {
    await forEveryCut(async (requests) => {
      const documents = new MemoryDocuments();
      await begun(documents);
      const isWhole = await dyingAfter(documents, requests, ({ journal }) => journal.commit(turn));
      const { runs, journal } = restarted(documents);
      await journal.commit(turn);
      await journal.commit(anEnd(1, 1));
      await journal.commit(anEnd(2, 0));

      const isPurged = await dyingAfter(documents, requests, (stores) => stores.runs.purge(0, 10));
      await runs.purge(0, 10);

      expect(count(documents)).toBe(0);
      return isWhole && isPurged;
    });
  });

  test('leaves a large playbook as it was or as it becomes', async () => {
    const id = playbookId(1);
    const before = aPlaybook(1, { filler: 'a'.repeat(800_000) });
    const after = aPlaybook(1, { filler: 'b'.repeat(800_000) });

    await forEveryCut(async (requests) => {
      const documents = new MemoryDocuments();
      await createDocumentStores(documents).playbooks.add(id, before);
      const isWhole = await dyingAfter(documents, requests, ({ playbooks }) =>
        playbooks.replace(id, after),
      );

      const found = await restarted(documents).playbooks.get(id);
      expect(found?.['filler'] === before['filler'] || found?.['filler'] === after['filler']).toBe(
        true,
      );
      return isWhole;
    });
  });
});
