/** What stores over a network promise when their database goes away under load and comes back. */

import { expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anOngoingStep,
  aPlaybook,
  aStep,
  executionId,
  playbookId,
  stepId,
  text,
} from './builders.ts';

export type Outage = {
  create(): Stores;
  takeAway(): Promise<void>;
  putBack(): Promise<void>;
};

const WORKERS = 6;
const ROUNDS = 8;
/** A request may seek its server for five seconds, and notice that a little later. */
const SAID_WITHIN_MS = 8_000;
const answer = { success: true, values: {}, answeredBy: 'alice', answeredMs: 3_000 };
const answered = { kind: 'answered', answer } as const;

export function storesOutageContract(outage: () => Outage): void {
  test('an outage under load is said clearly, loses nothing that was acknowledged, and passes by itself', {
    timeout: 60_000,
  }, async () => {
    const { create, takeAway, putBack } = outage();
    const stores = create();
    const acknowledged: number[] = [];
    const refusals: { readonly code: unknown; readonly tookMs: number }[] = [];
    const insist = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
      for (;;) {
        const since = performance.now();
        try {
          return await request();
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? error.code : error;
          refusals.push({ code, tookMs: performance.now() - since });
          if (code !== 'store-away') throw error;
        }
      }
    };
    const work = async (worker: number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const n = worker * 100 + round;
        await everything(stores, n, insist);
        acknowledged.push(n);
      }
    };

    const working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker + 1)));
    await expect
      .poll(() => acknowledged.length, { timeout: 20_000, interval: 5 })
      .toBeGreaterThan(3);
    await takeAway();
    const before = acknowledged.length;
    const started = create();
    await expect(started.ping()).rejects.toMatchObject({ code: 'store-away' });
    await expect.poll(() => refusals.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThanOrEqual(before + WORKERS);
    await putBack();
    await working;

    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['store-away']));
    expect(Math.max(...refusals.map(({ tookMs }) => tookMs))).toBeLessThan(SAID_WITHIN_MS);
    expect(acknowledged).toHaveLength(WORKERS * ROUNDS);
    await started.ping();
    for (const n of acknowledged) await expectEverything(started, n);
    await Promise.all([stores.close(), started.close()]);
  });
}

type Insist = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

/** A playbook, a run of it, a turn with a step and a question, and its answer: each acknowledged. */
async function everything(stores: Stores, n: number, insist: Insist): Promise<void> {
  const { playbooks, runs, journal, manual } = stores;
  await insist(() => playbooks.add(playbookId(n), aPlaybook(n)));
  await insist(() => runs.create(aNewRun(n, { idempotencyKey: `key ${n}` })));
  await insist(() => journal.begin(executionId(n), mainWalk, 0, anOngoingStep('w#1')));
  const commit = aCommit(n, 0, {
    variables: { __n__: text(`${n}`), __large__: text(`${n}`.repeat(3_000)) },
    steps: [aStep('w#1')],
    ask: aCommand(n, 1),
  });
  await insist(() => journal.commit(commit));
  await insist(() => manual.settle(executionId(n), stepId(1), 1, answered));
}

async function expectEverything(stores: Stores, n: number): Promise<void> {
  const { playbooks, runs, journal, manual } = stores;
  expect(await playbooks.get(playbookId(n))).toEqual(aPlaybook(n));
  const again = await runs.create(aNewRun(n + 50, { idempotencyKey: `key ${n}` }));
  expect(again).toMatchObject({ created: false, run: { executionId: executionId(n) } });
  const open = await journal.open(executionId(n), mainWalk);
  expect(open?.walk.turn).toBe(1);
  expect(open?.variables).toEqual({
    __n__: text(`${n}`),
    __large__: text(`${n}`.repeat(3_000)),
  });
  expect(await journal.steps(executionId(n))).toEqual([{ record: aStep('w#1'), count: 1 }]);
  const command = await manual.get(executionId(n), stepId(1));
  expect(command?.state).toEqual(answered);
}
