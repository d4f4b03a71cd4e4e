/** The requests a service sends its store for what it does most, in the order the core asks for them. */

import { mainWalk } from '../../core/execution/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anEnd,
  anOngoingStep,
  aPlaybook,
  aStep,
  executionId,
  playbookId,
  stepId,
  text,
} from './builders.ts';

/** The names of the requests, in their order. */
export type Operations = { readonly [what: string]: string };

const run = executionId(1);
const other = executionId(2);
const answer = { success: true, values: {}, answeredBy: 'alice', answeredMs: 3_000 };

/** `sent` answers the names of the requests since it was called last. */
export async function storeOperations(
  { playbooks, runs, journal, manual }: Stores,
  sent: () => readonly string[],
): Promise<Operations> {
  const step = async (n: number, end = false) => {
    const [invocation, id] = [`w#${n}`, stepId(n)];
    await journal.open(run, mainWalk);
    await journal.begin(run, mainWalk, n, anOngoingStep(invocation, { stepId: id }));
    const more = {
      variables: { [`__${n}__`]: text('a short value') },
      steps: [aStep(invocation, { stepId: id })],
    };
    await journal.commit(end ? anEnd(1, n, more) : aCommit(1, n, more));
  };
  await playbooks.add(playbookId(1), aPlaybook(1));
  sent();
  const operations: Record<string, string> = {};
  const note = async (what: string, work: () => Promise<unknown>) => {
    await work();
    operations[what] = sent().join(' ');
  };

  await note('trigger', async () => {
    await playbooks.get(playbookId(1));
    await runs.create(aNewRun(1));
  });
  await note('trigger with an idempotency key', async () => {
    await playbooks.get(playbookId(1));
    await runs.create(aNewRun(2, { idempotencyKey: 'key' }));
  });
  await note('first turn', async () => {
    await journal.open(run, mainWalk);
    await runs.snapshot(run);
    await journal.commit(aCommit(1, 0));
  });
  await note('action step', () => step(1));
  await note('eight more action steps', async () => {
    for (let n = 2; n <= 9; n += 1) await step(n);
  });
  await note('last action step, which ends the run', () => step(10, true));
  await note('report', async () => {
    await runs.get(run);
    await journal.steps(run);
  });
  await note('question', async () => {
    await journal.commit(aCommit(2, 0, { ask: aCommand(2, 1) }));
  });
  await note('answer', async () => {
    await manual.get(other, stepId(1));
    await manual.settle(other, stepId(1), 1, { kind: 'answered', answer });
  });
  await note('turn after the answer', async () => {
    await journal.open(other, mainWalk);
    await manual.get(other, stepId(1), mainWalk);
    await journal.commit(aCommit(2, 1, { consumed: { stepId: stepId(1), turn: 1 } }));
  });
  await note('call of a playbook', async () => {
    await playbooks.get(playbookId(1));
    await journal.commit(aCommit(2, 2, { child: aNewRun(3) }));
  });
  await note('list of three runs', () => runs.list({ order: 'newest-first' }));
  return operations;
}
