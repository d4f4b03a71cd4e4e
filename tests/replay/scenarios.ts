/** Executions whose histories are worth keeping: between them they meet everything the driver can be told. */

import { parsePlaybookId } from '../../core/cacao/ids.ts';
import type { ExecutionId } from '../../core/execution/ids.ts';
import { answerManual } from '../../core/execution/operations/answer-manual.ts';
import { awaitEnd } from '../../core/execution/operations/await-end.ts';
import { controlRun } from '../../core/execution/operations/control-run.ts';
import type { JsonObject } from '../../core/json.ts';
import { action, aPlaybook, byPerson, end, playbookIdOf, start } from '../support/a-playbook.ts';
import { until } from '../support/client.ts';
import type { DurableProduct } from '../support/durable-product.ts';

type Steps = Parameters<typeof aPlaybook>[1];

export type Scenario = {
  readonly name: string;
  /** How often the store fails before it answers. */
  readonly failures?: number;
  readonly play: (product: DurableProduct) => Promise<void>;
};

const chain = (length: number): Steps => {
  const names = Array.from({ length }, (_, at) => `s${at}`);
  const steps = names.map((name, at) => [name, action(names[at + 1] ?? 'end')] as const);
  return { first: start('s0'), ...Object.fromEntries(steps), end };
};

const asking = (more: JsonObject = {}): Steps => ({
  first: start('ask'),
  ask: action('after', { ...byPerson, on_failure: 'after', ...more }),
  after: action('end'),
  end,
});

export const scenarios: readonly Scenario[] = [
  {
    name: 'more-steps-than-a-generation',
    play: (product) => ended(product, aPlaybook('long', chain(45))),
  },
  {
    name: 'question-answered',
    async play(product) {
      const id = await product.begin(aPlaybook('ask', asking()));
      await answerOf(product, id, true);
      await awaitEnd(product.bench, id, undefined);
    },
  },
  {
    name: 'question-nobody-answers',
    play: (product) => ended(product, aPlaybook('late', asking({ timeout: 50 }))),
  },
  {
    name: 'question-cancelled',
    async play(product) {
      const id = await product.begin(aPlaybook('cancel', asking()));
      await pendingOf(product, id);
      await controlRun(product.bench, product.orchestrations, id, 'cancel', undefined);
      await awaitEnd(product.bench, id, undefined);
    },
  },
  {
    name: 'delays-and-a-loop',
    play: (product) =>
      ended(
        product,
        aPlaybook('loop', {
          first: start('again'),
          again: {
            type: 'while-condition',
            condition: "__turn__:value != '3'",
            on_true: 'turn',
            on_completion: 'end',
          },
          turn: action('back', { delay: 20 }),
          back: end,
          end,
        }),
      ),
  },
  {
    name: 'branches-side-by-side',
    play: (product) =>
      ended(
        product,
        aPlaybook('fork', {
          first: start('fork'),
          fork: { type: 'parallel', next_steps: ['a', 'b', 'c'], on_completion: 'after' },
          a: action('aa'),
          aa: action('branch-end'),
          b: action('branch-end', { delay: 20 }),
          c: action('branch-end'),
          'branch-end': end,
          after: action('end'),
          end,
        }),
      ),
  },
  {
    name: 'playbook-called',
    async play(product) {
      const child = aPlaybook('called', chain(2));
      const id = parsePlaybookId(playbookIdOf('called'));
      if (id !== undefined) await product.bench.stores.playbooks.add(id, child);
      await ended(
        product,
        aPlaybook('caller', {
          first: start('call'),
          call: {
            type: 'playbook-action',
            playbook_id: playbookIdOf('called'),
            on_completion: 'after',
          },
          after: action('end'),
          end,
        }),
      );
    },
  },
  {
    name: 'store-away-for-a-while',
    failures: 2,
    play: (product) => ended(product, aPlaybook('away', chain(2))),
  },
];

async function ended(product: DurableProduct, playbook: JsonObject): Promise<void> {
  await product.execute(playbook);
}

async function answerOf(product: DurableProduct, id: ExecutionId, success: boolean): Promise<void> {
  const { stepId } = await pendingOf(product, id);
  const response = { executionId: id, stepId, success, outArgs: {} };
  await answerManual(product.bench, product.orchestrations, response);
}

async function pendingOf({ bench }: DurableProduct, id: ExecutionId) {
  const pending = async () =>
    (await bench.stores.manual.list()).find(({ executionId }) => executionId === id);
  const found = await until(pending, (command) => command !== undefined);
  if (found === undefined) throw new Error('Nobody is asked anything.');
  return found;
}
