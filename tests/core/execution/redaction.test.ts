/** Secrets are hidden by value wherever a text may carry them. */

import { describe, expect, test } from 'vitest';
import { parsePlaybookId } from '../../../core/cacao/ids.ts';
import { redactor } from '../../../core/execution/redaction.ts';
import type { JsonObject } from '../../../core/json.ts';
import { aBench, type Performer, type TestBench } from '../../support/a-bench.ts';
import { action, aPlaybook, byPerson, end, playbookIdOf, start } from '../../support/a-playbook.ts';
import { answer, pendingOf } from '../../support/answer.ts';
import { run } from '../../support/run-playbook.ts';

const authId = 'user-auth--55555555-5555-4555-8555-555555555555';
const secret = 'hunter2-hunter2';

const withSecret = (more: JsonObject = {}): JsonObject => ({
  authentication_info_definitions: {
    [authId]: { type: 'user-auth', username: 'root', password: '__password__:value', ...more },
  },
  playbook_variables: { __password__: { type: 'string', value: secret } },
});
const oneStep = (command: string) =>
  aPlaybook(
    'p',
    { start: start('a'), a: action('end', { commands: [{ type: 'http-api', command }] }), end },
    withSecret(),
  );

/** Everything a reader or a downstream reporter gets to see. */
async function seen(bench: TestBench, playbook: JsonObject): Promise<string> {
  const { report } = await run(bench, playbook);
  const commands = report.steps.flatMap(({ latest }) =>
    latest.commandsB64.map((command) => Buffer.from(command, 'base64').toString()),
  );
  return JSON.stringify([report, commands, bench.events]);
}

describe('the value of a secret', () => {
  test('is hidden in commands, variables and errors', async () => {
    const leaky: Performer = ({ text }) => ({
      ok: false,
      status: 'failed',
      error: `Could not do ${text}`,
      values: { __echo__: `said ${text}` },
    });
    const bench = aBench(leaky);

    const text = await seen(bench, oneStep('login __password__:value'));

    expect(bench.performed).toEqual([`login ${secret}`]);
    expect(text).toContain('login ***');
    expect(text).toContain('Could not do login ***');
    expect(text).not.toContain(secret);
  });

  test('is hidden in the record of the very step that brings it', async () => {
    const brings: Performer = () => ({ ok: true, values: { __password__: 'fresh-secret' } });

    expect(await seen(aBench(brings), oneStep('renew'))).not.toContain('fresh-secret');
  });

  test('is hidden when it is only a part of the credential', async () => {
    const playbook = {
      ...oneStep('use __password__:value'),
      ...withSecret({ password: 'domain\\__password__:value' }),
    };

    expect(await seen(aBench(), playbook)).not.toContain(secret);
  });

  test('is hidden in the error of a condition that cannot be evaluated', async () => {
    const playbook = aPlaybook(
      'p',
      {
        start: start('check'),
        check: {
          type: 'if-condition',
          condition: '__n__:value > __password__:value',
          on_true: 'end',
        },
        end,
      },
      withSecret(),
    );
    const variables = {
      __n__: { type: 'integer', value: '1' },
      __password__: { type: 'string', value: secret },
    };

    const text = await seen(aBench(), { ...playbook, playbook_variables: variables });

    expect(text).toContain('is not a value of type integer');
    expect(text).not.toContain(secret);
  });

  test('is hidden in the report of a called playbook, which does not know it is one', async () => {
    const bench = aBench(({ text }) => ({ ok: true, values: { __echo__: text } }));
    const child = aPlaybook('child', {
      start: start('a'),
      a: action('end', { commands: [{ type: 'http-api', command: 'use __password__:value' }] }),
      end,
    });
    const id = parsePlaybookId(playbookIdOf('child'));
    if (id !== undefined) await bench.stores.playbooks.add(id, child);
    const parent = aPlaybook(
      'parent',
      {
        start: start('call'),
        call: { type: 'playbook-action', playbook_id: playbookIdOf('child'), on_completion: 'end' },
        end,
      },
      withSecret(),
    );

    expect(await seen(bench, parent)).not.toContain(secret);
    expect(bench.performed).toEqual([`use ${secret}`]);
    const steps = await Promise.all(
      (await bench.stores.runs.list({ order: 'oldest-first' })).map(({ executionId }) =>
        bench.stores.journal.steps(executionId),
      ),
    );
    expect(JSON.stringify(steps)).not.toContain(secret);
  });

  test('is hidden in what an operator is shown, and in what the operator answers', async () => {
    const bench = aBench();
    const playbook = aPlaybook(
      'p',
      {
        start: start('look'),
        look: action('end', {
          ...byPerson,
          commands: [{ type: 'manual', command: 'change __password__:value' }],
          out_args: ['__password__'],
        }),
        end,
      },
      withSecret(),
    );
    let shown = '';

    const { report } = await run(bench, playbook, {}, async (_, { execution }) => {
      shown = JSON.stringify(await pendingOf(bench, execution));
      await answer(bench, execution, { __password__: 'brand-new-one' });
    });

    expect(shown).toContain('change ***');
    expect(shown).not.toContain(secret);
    const told = JSON.stringify([report, bench.events]);
    expect(told).not.toContain(secret);
    expect(told).not.toContain('brand-new-one');
  });
});

describe('redaction', () => {
  test('hides a secret that contains another one whole', () => {
    expect(redactor(['abcd', 'abcdef'])('xabcdefx')).toBe('x***x');
  });

  test('leaves values shorter than four characters alone', () => {
    expect(redactor(['abc', ''])('abc')).toBe('abc');
  });

  test('takes the signs of regular expressions and replacements as they are', () => {
    expect(redactor(['$&.*('])('a$&.*(b')).toBe('a***b');
  });
});

test('a secret is hidden in every spelling a target may send it back in', () => {
  const secret = 'pa"ss\\wörd @1';
  const spelt = [
    JSON.stringify({ secret }),
    encodeURIComponent(secret),
    new URL(`http://host/${secret}`).href,
    new URL(`http://host/?${secret}`).href,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('latin1'),
  ];

  const shown = spelt.map(redactor([secret]));

  expect(shown).toEqual([
    '{"secret":"***"}',
    '***',
    'http://host/***',
    'http://host/?***',
    expect.stringMatching(/^\*\*\*=*$/),
    '***',
  ]);
});
