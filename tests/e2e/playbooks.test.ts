/** /playbook from outside. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { action, aPlaybook, end, playbookIdOf, start } from '../support/a-playbook.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;

beforeAll(async () => {
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(() => service.dispose());

beforeEach(async () => {
  const { json } = await ask('GET', '/playbook');
  for (const { id } of json) await ask('DELETE', `/playbook/${id}`);
});

const simple = (name: string, more = {}) =>
  aPlaybook(name, { start: start('a'), a: action('end'), end }, more);

test('a service without playbooks lists none', async () => {
  expect((await ask('GET', '/playbook')).text).toBe('[]');
  expect((await ask('GET', '/playbook/meta')).text).toBe('[]');
});

test('a stored playbook comes back exactly as it was submitted', async () => {
  const submitted = simple('round trip', {
    revoked: false,
    features: { if_logic: true, data_markings: false },
    industry_sectors: ['aerospace'],
    labels: ['x'],
    playbook_extensions: { 'extension-definition--1': { anything: [1, null, { deep: true }] } },
    external_references: [{ name: 'r', hash: 'abc', 'x-own': 1 }],
    'x-unknown': { kept: ['as', 'it', 'is'] },
  });

  const added = await ask('POST', '/playbook', { body: submitted });
  const read = await ask('GET', `/playbook/${submitted.id}`);

  expect(added.status).toBe(201);
  expect(added.json).toEqual(submitted);
  expect(read.text).toBe(JSON.stringify(submitted));
});

test('a playbook is added once', async () => {
  await ask('POST', '/playbook', { body: simple('twice') });

  const again = await ask('POST', '/playbook', { body: simple('twice', { description: 'other' }) });

  expect(again.status).toBe(409);
  expect(again.json).toMatchObject({ status: '409', 'original-call': 'POST /playbook' });
  expect((await ask('GET', `/playbook/${playbookIdOf('twice')}`)).json.description).toBe(undefined);
});

test('of many adding the same playbook at once one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ask('POST', '/playbook', { body: simple('race') })),
  );

  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
});

test('a replaced playbook is the new one at the old place', async () => {
  await ask('POST', '/playbook', { body: simple('first') });
  await ask('POST', '/playbook', { body: simple('second') });

  const changed = { ...simple('first'), name: 'changed' };
  const replaced = await ask('PUT', `/playbook/${playbookIdOf('first')}`, { body: changed });

  expect(replaced.status).toBe(200);
  expect(replaced.json).toEqual(changed);
  const names = (await ask('GET', '/playbook')).json.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['changed', 'second']);
});

test('the meta list shows names, dates and labels only', async () => {
  await ask('POST', '/playbook', {
    body: simple('meta', { valid_from: '2026-01-01T00:00:00Z', labels: ['a'], description: 'd' }),
  });
  await ask('POST', '/playbook', { body: simple('bare') });

  expect((await ask('GET', '/playbook/meta')).json).toEqual([
    {
      id: playbookIdOf('meta'),
      name: 'meta',
      description: 'd',
      created: '2026-01-01T00:00:00.000Z',
      valid_from: '2026-01-01T00:00:00Z',
      labels: ['a'],
    },
    {
      id: playbookIdOf('bare'),
      name: 'bare',
      description: '',
      created: '2026-01-01T00:00:00.000Z',
      labels: [],
    },
  ]);
});

test('a removed playbook is gone, and removing it again is refused', async () => {
  const { id } = simple('gone');
  await ask('POST', '/playbook', { body: simple('gone') });

  const first = await ask('DELETE', `/playbook/${id}`);
  const second = await ask('DELETE', `/playbook/${id}`);

  expect([first.status, first.text]).toEqual([200, '']);
  expect(second.status).toBe(400);
});

describe('refusals', () => {
  const unknown = `/playbook/${playbookIdOf('unknown')}`;

  test('an unknown playbook is 400 whatever is asked of it', async () => {
    expect((await ask('GET', unknown)).status).toBe(400);
    expect((await ask('PUT', unknown, { body: simple('unknown') })).status).toBe(400);
    expect((await ask('DELETE', unknown)).status).toBe(400);
    expect((await ask('GET', '/playbook/nonsense')).status).toBe(400);
  });

  test('a replacement must have the id of its address', async () => {
    await ask('POST', '/playbook', { body: simple('one') });

    const answer = await ask('PUT', `/playbook/${playbookIdOf('one')}`, { body: simple('two') });

    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain(playbookIdOf('two'));
    expect((await ask('GET', '/playbook')).json).toHaveLength(1);
  });

  test.each([
    ['no body', undefined],
    ['white space', '  \n'],
    ['cut JSON', '{"type":'],
    ['a list', '[]'],
    ['a text', '"playbook"'],
    ['null', 'null'],
    ['nothing of a playbook', '{}'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
    ['JSON nested 100 deep', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('%s is not a playbook', async (_, body) => {
    const answer = await ask('POST', '/playbook', { body });

    expect(answer.status).toBe(400);
    expect(answer.json.status).toBe('400');
    expect(answer.json.message.length).toBeGreaterThan(10);
  });

  test('an invalid playbook is refused with everything that is wrong with it', async () => {
    const broken = simple('broken', { workflow_exception: 'action--not-there' });
    const { name: _name, ...nameless } = broken;

    const answer = await ask('POST', '/playbook', { body: nameless });

    expect(answer.status).toBe(400);
    const pointers = answer.json.findings.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toContain('/workflow_exception');
    expect(answer.json.message).toContain('name');
    expect((await ask('GET', '/playbook')).json).toEqual([]);
  });

  test('a body over the limit is 413', async () => {
    const answer = await ask('POST', '/playbook', { body: `{"x":"${'x'.repeat(11_000_000)}"}` });

    expect(answer.status).toBe(413);
    expect(answer.json.status).toBe('413');
  });

  test('a byte order mark and any content type are accepted', async () => {
    const body = `\uFEFF${JSON.stringify(simple('bom'))}`;
    const headers = { 'content-type': 'text/plain' };

    expect((await ask('POST', '/playbook', { body, headers })).status).toBe(201);
  });
});

describe('validation', () => {
  test('tells what is wrong without storing anything', async () => {
    const answer = await ask('POST', '/validation', { body: { type: 'playbook' } });

    expect(answer.status).toBe(200);
    expect(answer.json.valid).toBe(false);
    expect(answer.json.findings.length).toBeGreaterThan(3);
    expect(answer.json.findings[0]).toEqual({
      rule: expect.any(String),
      severity: 'error',
      pointer: expect.any(String),
      message: expect.any(String),
    });
  });

  test('finds a sound playbook valid', async () => {
    const answer = await ask('POST', '/validation', { body: simple('sound') });

    expect(answer.json.valid).toBe(true);
    expect((await ask('GET', '/playbook')).json).toEqual([]);
  });
});
