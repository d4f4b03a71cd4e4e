/** The whole contract of a database: every port, and the life of the connection. */

import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import { aCommit, aNewRun, aPlaybook, executionId, playbookId, stepId } from './builders.ts';
import { finStoreContract } from './fin-store.contract.ts';
import { manualQueueContract } from './manual-queue.contract.ts';
import { type CreateStores, opened } from './opened.ts';
import { playbookStoreContract } from './playbook-store.contract.ts';
import { runJournalContract } from './run-journal.contract.ts';
import { runStoreContract } from './run-store.contract.ts';

export function storesContract(create: CreateStores, crowd?: number): void {
  playbookStoreContract(create);
  runStoreContract(create);
  runJournalContract(create);
  manualQueueContract(create, crowd);
  finStoreContract(async () => (await opened(create)).fins);

  describe('connection', () => {
    test('an open store answers a ping', async () => {
      const stores = await opened(create);

      await expect(stores.ping()).resolves.toBeUndefined();
    });

    test('a closed store says that it is away, whatever is asked, and may be closed again', async () => {
      const stores = await create();
      await stores.playbooks.add(playbookId(1), aPlaybook(1));
      await stores.close();

      for (const request of [
        () => stores.ping(),
        () => stores.playbooks.get(playbookId(1)),
        () => stores.playbooks.add(playbookId(2), aPlaybook(2)),
        () => stores.playbooks.listMeta(),
        () => stores.runs.create(aNewRun(1)),
        () => stores.runs.list({ order: 'oldest-first' }),
        () => stores.runs.purge(0, 1),
        () => stores.journal.open(executionId(1), mainWalk),
        () => stores.journal.commit(aCommit(1, 0)),
        () => stores.manual.list(),
        () => stores.manual.settle(executionId(1), stepId(1), 1, { kind: 'expired' }),
      ]) {
        await expect(request()).rejects.toMatchObject({
          code: 'store-away',
          cause: { message: expect.stringContaining('closed') },
        });
      }
      await expect(stores.close()).resolves.toBeUndefined();
    });
  });
}
