/** What the report of an execution tells: repetition, commands, who did it, children, ends. */

import { describe, expect, test } from 'vitest';
import { parsePlaybookId } from '../../../../core/cacao/ids.ts';
import { allReports, reportOf } from '../../../../core/execution/operations/report.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { aBench } from '../../../support/a-bench.ts';
import {
  action,
  aPlaybook,
  end,
  playbookIdOf,
  start,
  targetIds,
} from '../../../support/a-playbook.ts';
import { run } from '../../../support/run-playbook.ts';

const commands = (...texts: string[]) => ({
  commands: texts.map((command) => ({ type: 'http-api', command })),
});
const decoded = (texts: readonly string[] = []) =>
  texts.map((text) => Buffer.from(text, 'base64').toString());

/** Counts in __n__; the loop ends when it has reached `turns`. */
const counting = (turns: number) => ({
  playbook: aPlaybook(
    'p',
    {
      start: start('loop'),
      loop: {
        type: 'while-condition',
        condition: `__n__:value != '${turns}'`,
        on_true: 'body',
        on_completion: 'end',
      },
      body: action('end', commands('turn __n__:value')),
      end,
    },
    { playbook_variables: { __n__: { type: 'integer', value: '0' } } },
  ),
  bench: aBench(({ variables }) => ({
    ok: true,
    values: { __n__: String(Number(variables['__n__']?.value) + 1) },
  })),
});

describe('a step that was executed three times', () => {
  test('shows its latest invocation, how often it was invoked, and the earlier ones', async () => {
    const { bench, playbook } = counting(3);

    const { report } = await run(bench, playbook);

    const body = report.steps.find(({ latest }) => latest.name === 'body');
    expect(body?.count).toBe(3);
    expect(decoded(body?.latest.commandsB64)).toEqual(['turn 2']);
    expect(body?.previous.map(({ commandsB64 }) => decoded(commandsB64))).toEqual([
      ['turn 0'],
      ['turn 1'],
    ]);
    expect(body?.latest.variables).toEqual({ __n__: { type: 'integer', value: '3' } });
  });

  test('is one invocation of the loop around it', async () => {
    const { bench, playbook } = counting(3);

    const { report } = await run(bench, playbook);

    const loop = report.steps.find(({ latest }) => latest.name === 'loop');
    expect(loop).toMatchObject({
      count: 1,
      previous: [],
      latest: { status: 'successfully_executed', statusText: 'the loop ended after 3 turns' },
    });
  });
});

test('a step that was executed very often keeps its fifty newest earlier invocations', async () => {
  const { bench, playbook } = counting(70);

  const { report } = await run(bench, playbook);

  const body = report.steps.find(({ latest }) => latest.name === 'body');
  expect(body?.count).toBe(70);
  expect(body?.previous).toHaveLength(50);
  expect(decoded(body?.previous[0]?.commandsB64)).toEqual(['turn 19']);
  expect(decoded(body?.latest.commandsB64)).toEqual(['turn 69']);
});

describe('the result of a step', () => {
  test('lists a command per command and target, variables inserted, none that was not reached', async () => {
    const bench = aBench(({ text }) =>
      text === 'two x' ? { ok: false, status: 'failed', error: 'no' } : { ok: true, values: {} },
    );
    const b64 = Buffer.from('zero __v__:value').toString('base64');
    const playbook = aPlaybook(
      'p',
      {
        start: start('a'),
        a: action('end', {
          targets: [targetIds.box, targetIds.other],
          commands: [
            { type: 'http-api', command_b64: b64 },
            { type: 'http-api', command: 'two __v__:value' },
            { type: 'http-api', command: 'three' },
          ],
        }),
        end,
      },
      { playbook_variables: { __v__: { type: 'string', value: 'x' } } },
    );

    const { report } = await run(bench, playbook);

    expect(decoded(report.steps[0]?.latest.commandsB64)).toEqual(['zero x', 'zero x', 'two x']);
  });

  test('names who executed it, when it began and when it ended', async () => {
    const bench = aBench(() => {
      bench.pass(30);
      return { ok: true, values: {}, executedBy: 'fin-7' };
    });
    const playbook = aPlaybook('p', {
      start: start('a'),
      a: action('end', { delay: 10, description: 'Does it' }),
      end,
    });

    const { report } = await run(bench, playbook);

    const begunMs = Date.UTC(2026, 0, 2);
    expect(report.steps[0]?.latest).toEqual({
      invocation: 'w#1',
      stepId: expect.stringMatching(/^action--/),
      name: 'a',
      description: 'Does it',
      status: 'successfully_executed',
      statusText: 'the step was executed',
      errors: [],
      startedMs: begunMs + 10,
      endedMs: begunMs + 40,
      executedBy: 'fin-7',
      commandsB64: [Buffer.from('GET /a HTTP/1.1').toString('base64')],
      variables: {},
      automated: true,
      interruptions: 0,
    });
    expect(report.run).toMatchObject({
      status: 'successfully_executed',
      statusText: 'the playbook was executed successfully',
      errors: [],
      startedMs: begunMs,
      endedMs: begunMs + 40,
    });
  });

  test('that crashed inside the service says so', async () => {
    const bench = aBench(() => {
      throw new Error('out of paper');
    });

    const { report } = await run(
      bench,
      aPlaybook('p', { start: start('a'), a: action('end'), end }),
    );

    expect(report.steps[0]?.latest).toMatchObject({
      status: 'server_side_error',
      errors: ['The capability crashed: out of paper'],
    });
  });

  test('comes in the order in which the steps were begun, start and end left out', async () => {
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: {
        type: 'if-condition',
        condition: "'1' = '1'",
        on_true: 'both',
        on_completion: 'end',
      },
      both: { type: 'parallel', next_steps: ['a', 'b'], on_completion: 'end' },
      a: action('end'),
      b: action('end'),
      end,
    });

    for (const parallel of ['sequential', 'concurrent'] as const) {
      const { steps } = await run(aBench(undefined, { parallel }), playbook);

      expect(steps).toEqual(
        ['check', 'both', 'a', 'b'].map((name) => `${name}: successfully_executed`),
      );
    }
  });
});

describe('a playbook-action', () => {
  const child = aPlaybook('child', { start: start('work'), work: action('end'), end });
  const parent = (more: JsonObject = {}) =>
    aPlaybook('parent', {
      start: start('call'),
      call: {
        type: 'playbook-action',
        playbook_id: playbookIdOf('child'),
        on_completion: 'end',
        ...more,
      },
      end,
    });
  const stored = async (bench: ReturnType<typeof aBench>, document: JsonObject) => {
    const id = parsePlaybookId(String(document['id']));
    if (id !== undefined) await bench.stores.playbooks.add(id, document);
  };

  test('and the execution it began name each other', async () => {
    const bench = aBench();
    await stored(bench, child);

    const { report } = await run(bench, parent());

    const [, called] = await allReports(bench.stores);
    expect(report.steps[0]?.latest).toMatchObject({
      status: 'successfully_executed',
      child: { executionId: called?.run.executionId, playbookId: playbookIdOf('child') },
    });
    expect(called?.run).toMatchObject({
      parent: {
        executionId: report.run.executionId,
        stepId: report.steps[0]?.latest.stepId,
      },
      depth: 1,
      status: 'successfully_executed',
    });
  });

  test('name each other already while the called playbook runs', async () => {
    const bench = aBench(async () => {
      const [first] = await bench.stores.runs.list({ order: 'oldest-first' });
      const report = first && (await reportOf(bench.stores, first.executionId));
      const { status, child: named } = report?.steps[0]?.latest ?? {};
      return { ok: true, values: { __seen__: `${status} ${named?.playbookId}` } };
    });
    await stored(bench, child);

    const { report } = await run(bench, parent());

    const [, called] = await allReports(bench.stores);
    expect(called?.steps[0]?.latest.variables['__seen__']?.value).toBe(
      `ongoing ${playbookIdOf('child')}`,
    );
    expect(report.steps[0]?.latest.child?.executionId).toBe(called?.run.executionId);
  });

  test('fails as an error of the author when the playbook is not stored or not valid', async () => {
    const bench = aBench();
    const missing = await run(bench, parent());
    await stored(bench, {
      ...child,
      workflow_start: 'start--00000000-0000-4000-8000-000000000000',
    });
    const invalid = await run(bench, parent());

    expect(missing.report.steps[0]?.latest).toMatchObject({
      status: 'client_side_error',
      errors: [`There is no stored playbook ${playbookIdOf('child')}.`],
    });
    expect(invalid.report.steps[0]?.latest.status).toBe('client_side_error');
    expect(invalid.report.steps[0]?.latest.errors[0]).toMatch(/is not valid: /);
  });

  test('fails when playbooks call each other too deep', async () => {
    const bench = aBench();
    const endless = aPlaybook('child', {
      start: start('call'),
      call: { type: 'playbook-action', playbook_id: playbookIdOf('child'), on_completion: 'end' },
      end,
    });
    await stored(bench, endless);

    const { status } = await run(bench, parent());

    expect(status).toBe('failed');
    const runs = await bench.stores.runs.list({ order: 'oldest-first' });
    expect(runs).toHaveLength(17);
    expect(runs.at(-1)?.errors[0]).toContain('more than 16 levels deep');
    expect(runs.every((each) => each.status === 'failed')).toBe(true);
  });

  test('is timed out with the playbook it called', async () => {
    const bench = aBench();
    await stored(
      bench,
      aPlaybook('child', { start: start('a'), a: action('end', { delay: 500 }), end }),
    );

    const { report, status } = await run(bench, parent({ timeout: 100 }));

    const [, called] = await allReports(bench.stores);
    expect(called?.run.status).toBe('timeout_error');
    expect(report.steps[0]?.latest.status).toBe('timeout_error');
    expect(status).toBe('failed');
  });

  test('runs its exception branch in the called playbook, which still counts as failed', async () => {
    const bench = aBench(({ text }) =>
      text.includes('/work')
        ? { ok: false, status: 'failed', error: 'no' }
        : { ok: true, values: {} },
    );
    const rescued = aPlaybook(
      'child',
      { start: start('work'), work: action('end'), end, rescue: action('end') },
      { workflow_exception: 'rescue' },
    );
    await stored(bench, rescued);

    const { report, status } = await run(bench, parent());

    expect(bench.performed).toEqual(['GET /work HTTP/1.1', 'GET /rescue HTTP/1.1']);
    expect(report.steps[0]?.latest.errors[0]).toMatch(/ended as exception_condition_error: /);
    expect(status).toBe('failed');
  });
});
