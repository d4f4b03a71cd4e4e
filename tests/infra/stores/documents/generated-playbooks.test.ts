/** Generated playbooks, executed for real over documents, by processes that die at any request. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../core/engine/plan.ts';
import { triggerDocument } from '../../../../core/execution/operations/trigger.ts';
import { PinnedRuns } from '../../../../core/execution/pinned.ts';
import { createDocumentStores } from '../../../../infra/stores/documents/create-document-stores.ts';
import { aBench, drive, type TestBench } from '../../../support/a-bench.ts';
import { generatedPlaybook } from '../../../support/generated-playbook.ts';
import { holds } from '../../../support/holds.ts';
import {
  operatorOf,
  performerOf,
  playDry,
  playedLimits,
  playedOn,
  storeChildren,
} from '../../../support/play.ts';
import type { GeneratedPlaybook } from '../../../support/render-playbook.ts';
import { noOrchestrations } from '../../../support/run-playbook.ts';
import { MemoryDocuments } from './memory-documents.ts';

const manners = fc.constantFrom('sequential' as const, 'concurrent' as const);

class Killed extends Error {}

function benchOn(
  documents: MemoryDocuments,
  generated: GeneratedPlaybook,
  parallel: Plan['parallel'],
) {
  const stores = createDocumentStores(documents.share());
  const perform = performerOf(generated, () => bench);
  const bench: TestBench = aBench(perform, { stores, parallel, limits: playedLimits });
  return bench;
}

async function triggered(bench: TestBench, generated: GeneratedPlaybook) {
  await storeChildren(bench, generated);
  const { playbook } = generated;
  return (await triggerDocument(bench, noOrchestrations, playbook, { variables: {} })).executionId;
}

/** The same bench in a new process, which dies after so many requests to the documents. */
function reborn(bench: TestBench, documents: MemoryDocuments, requests: number): TestBench {
  const mortal = documents.share();
  let left = requests;
  mortal.onRequest = () => {
    left -= 1;
    if (left < 0) throw new Killed();
  };
  const stores = createDocumentStores(mortal);
  return { ...bench, stores, pinned: new PinnedRuns(stores.runs) };
}

test('an execution over documents does what a dry walk does', () =>
  holds(
    fc.asyncProperty(generatedPlaybook(), manners, async (generated, parallel) => {
      const bench = benchOn(new MemoryDocuments(), generated, parallel);
      const main = await triggered(bench, generated);

      await drive(bench, main, operatorOf(generated, bench));

      expect(await playedOn(bench, main)).toEqual(playDry(generated, parallel));
    }),
    60,
  ));

test('an execution whose process dies at any request ends as if it never had', () =>
  holds(
    fc.asyncProperty(
      generatedPlaybook({ times: false }),
      manners,
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
      async (generated, parallel, lives) => {
        const documents = new MemoryDocuments();
        const bench = benchOn(documents, generated, parallel);
        const main = await triggered(bench, generated);

        for (const requests of [...lives, Number.POSITIVE_INFINITY]) {
          const life = reborn(bench, documents, requests);
          const end = await drive(life, main, operatorOf(generated, life)).catch(
            (error: unknown) => {
              if (error instanceof Killed) return 'killed';
              throw error;
            },
          );
          if (end !== 'killed') break;
        }

        const survivor = reborn(bench, documents, Number.POSITIVE_INFINITY);
        expect(await playedOn(survivor, main)).toEqual(playDry(generated, parallel));
        const { runs, manual } = survivor.stores;
        expect(await manual.list()).toEqual([]);
        expect(await runs.list({ finished: false, order: 'oldest-first' })).toEqual([]);
        const all = await runs.list({ order: 'oldest-first' });
        expect(await runs.purge(0, 1_000)).toHaveLength(all.length);
        expect(documents.all('executions')).toEqual([]);
        expect(documents.all('parts')).toEqual([]);
        expect(documents.all('lists')).toEqual([]);
      },
    ),
    80,
  ));
