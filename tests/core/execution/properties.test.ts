/** What holds for every valid playbook, executed for real over the memory store. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../../core/engine/plan.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import type { ExecutionId } from '../../../core/execution/ids.ts';
import { controlRun } from '../../../core/execution/operations/control-run.ts';
import { triggerDocument } from '../../../core/execution/operations/trigger.ts';
import { PinnedRuns } from '../../../core/execution/pinned.ts';
import { aBench, drive, type TestBench } from '../../support/a-bench.ts';
import { aroundCommit, Killed, mortal } from '../../support/around-commit.ts';
import { generatedPlaybook } from '../../support/generated-playbook.ts';
import { holds } from '../../support/holds.ts';
import {
  operatorOf,
  performerOf,
  playDry,
  playedLimits,
  playedOn,
  storeChildren,
} from '../../support/play.ts';
import type { GeneratedPlaybook } from '../../support/render-playbook.ts';
import { noOrchestrations } from '../../support/run-playbook.ts';

const manners = fc.constantFrom('sequential' as const, 'concurrent' as const);

function benchFor(generated: GeneratedPlaybook, parallel: Plan['parallel'], worked: string[] = []) {
  const perform = performerOf(generated, () => bench);
  const bench: TestBench = aBench(
    (invocation, step) => {
      worked.push(step.workKey);
      return perform(invocation, step);
    },
    { parallel, limits: playedLimits },
  );
  return bench;
}

async function triggered(bench: TestBench, generated: GeneratedPlaybook) {
  await storeChildren(bench, generated);
  const { playbook } = generated;
  return (await triggerDocument(bench, noOrchestrations, playbook, { variables: {} })).executionId;
}

test('an execution visits the same steps in the same order as a dry walk, with the same results', () =>
  holds(
    fc.asyncProperty(generatedPlaybook(), manners, async (generated, parallel) => {
      const bench = benchFor(generated, parallel);
      const main = await triggered(bench, generated);
      await drive(bench, main, operatorOf(generated, bench));

      expect(await playedOn(bench, main)).toEqual(playDry(generated, parallel));
    }),
    120,
  ));

test('an execution that is killed again and again ends as if it had never been', () =>
  holds(
    fc.asyncProperty(
      generatedPlaybook({ times: false }),
      manners,
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('before' as const, 'after' as const),
      async (generated, parallel, kills, when) => {
        const worked: string[] = [];
        const bench = benchFor(generated, parallel, worked);
        const main = await triggered(bench, generated);
        const stores = mortal(bench.stores, new Set(kills), when);
        for (let lives = 0; lives <= kills.length; lives += 1) {
          // A new process: nothing is left but the stores.
          const life = { ...bench, stores, pinned: new PinnedRuns(stores.runs) };
          const end = await drive(life, main, operatorOf(generated, life)).catch(
            (error: unknown) => {
              if (error instanceof Killed) return 'killed';
              throw error;
            },
          );
          if (end !== 'killed') break;
        }

        expect(await playedOn(bench, main)).toEqual(playDry(generated, parallel));
        expect(await interruptedIn(bench)).toEqual(repeatedIn(worked));
        expect(await bench.stores.manual.list()).toEqual([]);
      },
    ),
    120,
  ));

test('an execution that is cancelled at any commit ends with all it has begun', () =>
  holds(
    fc.asyncProperty(
      generatedPlaybook(),
      manners,
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('before' as const, 'after' as const),
      async (generated, parallel, at, when) => {
        const bench = benchFor(generated, parallel);
        const main = await triggered(bench, generated);
        let commits = 0;
        const stores = aroundCommit(bench.stores, async (_, write) => {
          commits += 1;
          if (commits === at && when === 'before') await cancelled(bench, main);
          const done = await write();
          if (commits === at && when === 'after') await cancelled(bench, main);
          return done;
        });

        await drive({ ...bench, stores }, main, operatorOf(generated, bench));

        const runs = await bench.stores.runs.list({ order: 'oldest-first' });
        expect(runs.filter(({ status }) => status === 'ongoing')).toEqual([]);
        const { traces, status } = await playedOn(bench, main);
        expect(traces.flat().filter((step) => step.endsWith(': ongoing'))).toEqual([]);
        if (at < commits) expect(status).toBe('failed');
        expect(await bench.stores.manual.list()).toEqual([]);
      },
    ),
    80,
  ));

async function cancelled(bench: TestBench, main: ExecutionId): Promise<void> {
  await controlRun(bench, noOrchestrations, main, 'cancel', undefined).catch((error: unknown) => {
    // It had just ended by itself.
    if (!(error instanceof Refusal)) throw error;
  });
}

/** How often the report says that work was begun again, by work key. */
async function interruptedIn(bench: TestBench): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { executionId } of await bench.stores.runs.list({ order: 'oldest-first' })) {
    for (const { record } of await bench.stores.journal.steps(executionId)) {
      const { invocation, interruptions } = record;
      if (interruptions > 0) counts[`${executionId}/${invocation}`] = interruptions;
    }
  }
  return counts;
}

/** How often work really was done again. */
function repeatedIn(worked: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of worked) counts[key] = (counts[key] ?? -1) + 1;
  return Object.fromEntries(Object.entries(counts).filter(([, again]) => again > 0));
}
