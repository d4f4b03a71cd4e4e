/** Who is told of what, besides those who ask: manual integrations, preparations, facts for reporters. */

import { describe, expect, test } from 'vitest';
import type { ExecutionId } from '../../../../core/execution/ids.ts';
import { triggerDocument } from '../../../../core/execution/operations/trigger.ts';
import { runFacts } from '../../../../core/execution/run-facts.ts';
import type { ManualIntegration } from '../../../../core/ports/manual-integration.ts';
import { aBench } from '../../../support/a-bench.ts';
import { action, aPlaybook, byPerson, end, idOf, start } from '../../../support/a-playbook.ts';
import { answer } from '../../../support/answer.ts';
import { noOrchestrations, run } from '../../../support/run-playbook.ts';

const asking = (more = {}) =>
  aPlaybook('asks', {
    start: start('ask'),
    ask: action('end', { ...byPerson, ...more }),
    end,
  });

describe('a manual integration', () => {
  function listening() {
    const heard: string[] = [];
    const manual: ManualIntegration = {
      opened: ({ command, state }) => heard.push(`${command} is ${state.kind}`),
      closed: ({ stepId, turn }, ending) => heard.push(`${stepId} of turn ${turn} ${ending}`),
    };
    return { heard, manual };
  }
  const stepId = idOf('action', 'ask');

  test('hears of every command that waits and of its answer', async () => {
    const { heard, manual } = listening();
    const bench = aBench(undefined, { manual });
    const commands = [
      { type: 'manual', command: 'first' },
      { type: 'manual', command: 'second' },
    ];

    await run(bench, asking({ commands }), {}, async (_order, { execution }) => {
      await answer(bench, execution);
    });

    expect(heard).toEqual([
      'first is pending',
      `${stepId} of turn 1 answered`,
      'second is pending',
      `${stepId} of turn 2 answered`,
    ]);
  });

  test('hears that nobody answered in time', async () => {
    const { heard, manual } = listening();

    await run(aBench(undefined, { manual }), asking());

    expect(heard).toEqual(['Look and tell is pending', `${stepId} of turn 1 expired`]);
  });

  test('hears that the execution was cancelled', async () => {
    const { heard, manual } = listening();
    const bench = aBench(undefined, { manual });

    await run(bench, asking(), {}, async (_order, { execution }) => {
      await bench.stores.runs.setControl(execution, 'cancel');
    });

    expect(heard).toEqual(['Look and tell is pending', `${stepId} of turn 1 withdrawn`]);
  });
});

describe('a preparation', () => {
  test('gives an execution variables to begin with, and knows a repeated trigger', async () => {
    const keys: (string | undefined)[] = [];
    const bench = aBench(undefined, {
      prepare: async ({ variables, idempotencyKey }) => {
        keys.push(idempotencyKey);
        return { ...variables, __case__: { type: 'string', value: '42', constant: true } };
      },
    });
    const commands = [{ type: 'http-api', command: 'GET /__case__:value HTTP/1.1' }];
    const playbook = aPlaybook('p', { start: start('a'), a: action('end', { commands }), end });

    await run(bench, playbook);
    await triggerDocument(bench, noOrchestrations, playbook, {
      variables: {},
      idempotencyKey: 'once',
    });

    expect(bench.performed).toEqual(['GET /42 HTTP/1.1']);
    expect(keys).toEqual([undefined, 'once']);
  });
});

describe('the facts of an execution', () => {
  test('are its playbook and its variables as they are now, secrets hidden', async () => {
    const bench = aBench(() => ({ ok: true, values: { __found__: 'yes', __copy__: 'hunter22' } }));
    const playbook = aPlaybook(
      'p',
      { start: start('a'), a: action('end'), end },
      {
        playbook_variables: { __password__: { type: 'string', value: 'hunter22' } },
        authentication_info_definitions: {
          'user-auth--55555555-5555-4555-8555-555555555555': {
            type: 'user-auth',
            username: 'root',
            password: '__password__:value',
          },
        },
      },
    );
    const { report } = await run(bench, playbook);

    const facts = await runFacts(bench, report.run.executionId);

    expect(facts?.playbook.name).toBe('p');
    expect(facts?.variables).toEqual({
      __password__: { type: 'string', value: '***' },
      __found__: { type: 'string', value: 'yes' },
      __copy__: { type: 'string', value: '***' },
    });
    expect(facts?.redact('say hunter22')).toBe('say ***');
  });

  test('are gone with the execution', async () => {
    expect(await runFacts(aBench(), 'nobody' as ExecutionId)).toBeUndefined();
  });
});
