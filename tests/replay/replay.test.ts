/** Recorded histories against the orchestrator of today: executions that were begun before must go on. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
// Registers the product's orchestrator and activity.
import '../support/durable-product.ts';
import { executionName } from '../../functions/orchestrators/names.ts';
import { appCaller } from '../infra/local/durable/fixture/functions-app.ts';
import { recordScenario } from './record-scenario.ts';
import type { Generation, Recording } from './recording.ts';
import { scenarios } from './scenarios.ts';

const folder = new URL('histories/', import.meta.url);
const recordings = readdirSync(folder).map(
  (file): Recording => JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
);

const replay = ({ trigger }: Pick<Generation, 'trigger'>) =>
  appCaller().call(executionName, { route: 'json', text: JSON.stringify(trigger) });

test('every scenario has its recording', () => {
  expect(recordings.map(({ scenario }) => scenario).toSorted()).toEqual(
    scenarios.map(({ name }) => name).toSorted(),
  );
});

describe('the orchestrator asks for the same as when it was recorded', () => {
  test.each(recordings.map(({ scenario, generations }) => [scenario, generations] as const))(
    '%s',
    async (_, generations) => {
      for (const generation of generations) {
        expect(await replay(generation)).toEqual(generation.answer);
      }
    },
  );

  test.each(recordings.map(({ scenario, generations }) => [scenario, generations] as const))(
    '%s, replayed after every episode of it',
    async (_, generations) => {
      for (const generation of generations) {
        const whole = namesIn(generation.answer);
        for (const trigger of earlierTriggers(generation)) {
          const asked = namesIn(await replay({ trigger }));
          expect(asked).toEqual(whole.slice(0, asked.length));
        }
      }
    },
  );
});

test('the recordings meet everything the driver can be told', () => {
  const text = JSON.stringify(recordings);
  const events = new Set(
    recordings.flatMap(({ generations }) =>
      generations.flatMap(({ trigger }) => trigger.history.map(({ EventType }) => EventType)),
    ),
  );

  // TaskCompleted, TaskFailed, SubOrchestrationInstanceCompleted, TimerFired, EventRaised.
  expect([5, 6, 8, 11, 15].filter((type) => !events.has(type))).toEqual([]);
  // CallActivity, CallSubOrchestrator, ContinueAsNew, CreateTimer, WaitForExternalEvent, WhenAny, WhenAll.
  const actions = [0, 2, 4, 5, 6, 11, 12];
  expect(actions.filter((type) => !new RegExp(`"actionType":${type}[,}]`).test(text))).toEqual([]);
});

test('durable history holds no playbook, no command and no variable', async () => {
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error('There are no scenarios.');

  const { generations } = await recordScenario(scenario);

  const text = JSON.stringify(generations);
  expect(generations.length).toBeGreaterThan(1);
  for (const secret of ['GET /', '__turn__', 'http-api', 'workflow']) {
    expect(text).not.toContain(secret);
  }
});

/** What was asked for, in order; whether a timer was cancelled is known only later. */
function namesIn(answer: unknown): readonly string[] {
  const [actions = []] = (answer as { readonly actions: readonly (readonly object[])[] }).actions;
  return actions.map((action) =>
    JSON.stringify({ ...action, isCanceled: undefined }).replaceAll(
      /"isCanceled":(true|false)/g,
      '"isCanceled":null',
    ),
  );
}

const orchestratorCompleted = 13;

/** The generation as it was after each of its earlier episodes. */
function earlierTriggers({ trigger }: Generation): readonly Generation['trigger'][] {
  const { history } = trigger;
  return history.flatMap(({ EventType }, at) => {
    if (EventType !== orchestratorCompleted) return [];
    return [{ ...trigger, history: history.slice(0, at + 1) }];
  });
}
