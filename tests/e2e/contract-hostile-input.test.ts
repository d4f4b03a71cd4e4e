/** Input meant to confuse: names the language gives to every object, doubled slashes, numbers out of range. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../core/errors/finding.ts';
import { action, aPlaybook, end, idOf, start, targetIds } from '../support/a-playbook.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let target: HttpTarget;
let ask: Client;

beforeAll(async () => {
  target = await startHttpTarget();
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await target.close();
});

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

const plain = (name: string, more = {}) =>
  aPlaybook(
    name,
    { start: start('look'), look: action('end'), end },
    {
      target_definitions: {
        [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [target.url] } },
      },
      ...more,
    },
  );

describe('names that every object of the language has', () => {
  test.each(inherited)('%s is no type of a step', async (type) => {
    const playbook = aPlaybook('typed', { start: start('odd'), odd: { type } });

    const checked = await ask('POST', '/validation', { body: playbook });
    const triggered = await ask('POST', '/trigger/playbook', { body: playbook });

    expect(checked.json).toMatchObject({ valid: false });
    expect(triggered.status).toBe(400);
    expect(triggered.json.findings).toContainEqual(expect.objectContaining({ rule: 'step-type' }));
  });

  test.each(inherited)('%s is no file of the API browser', async (name) => {
    const { status, json } = await ask('GET', `/swagger/${name}`);

    expect([status, json?.status]).toEqual([404, '404']);
  });

  test.each(inherited)('%s is the id of no playbook, execution or step', async (name) => {
    const execution = '5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c01';

    const answers = await Promise.all(
      [`/playbook/${name}`, `/reporter/${name}`, `/manual/${execution}/${name}`].map((path) =>
        ask('GET', path),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404]);
  });

  test('a variable called __proto__ is a variable like any other', async () => {
    const declared = JSON.parse('{"__proto__":{"type":"string","value":"kept"}}');
    const body = plain('proto', { playbook_variables: declared });

    const { json } = await ask('POST', '/trigger/playbook', { body });
    const report = await ask('GET', `/reporter/${json['execution-id']}`);

    const { variables } = report.json.step_results[idOf('action', 'look')];
    expect(Object.getOwnPropertyDescriptor(variables, '__proto__')?.value).toMatchObject({
      value: 'kept',
    });
  });
});

describe('a variable whose name nobody can use', () => {
  test.each([[null], [1], ['text'], [[]], [{}], [{ type: 'string', value: {} }]])(
    'is refused when it is %j instead of a variable',
    async (odd) => {
      const body = plain('odd', { playbook_variables: { 'no name': odd } });

      const { status, json } = await ask('POST', '/trigger/playbook', { body });

      expect(status).toBe(400);
      const refusing = json.findings.find(({ severity }: Finding) => severity === 'error');
      expect(refusing.pointer).toMatch(/^\/playbook_variables\/no name/);
    },
  );

  test('is kept and reported when it is one', async () => {
    const odd = { type: 'string', value: 'x' };
    const body = plain('well', { playbook_variables: { $$odd$$: odd } });

    const { json } = await ask('POST', '/trigger/playbook', { body });
    const report = await ask('GET', `/reporter/${json['execution-id']}`);

    expect(report.json.step_results[idOf('action', 'look')].variables['$$odd$$']).toMatchObject(
      odd,
    );
  });
});

describe('an address with empty or encoded parts', () => {
  test.each(['//playbook', '/playbook//meta', '/playbook%2f', '/playbook%2Fmeta%2f'])(
    '%s names nothing, so no method is missing there',
    async (path) => {
      const { status, json, headers } = await ask('GET', path);

      expect([status, json?.status, headers.get('allow')]).toEqual([404, '404', null]);
    },
  );
});

test('a number no double can hold is refused, since it could not be given back', async () => {
  const text = JSON.stringify(plain('huge')).replace('{', '{"x_number":1e400,');

  const { status, json } = await ask('POST', '/playbook', { body: text });

  expect([status, json.status]).toEqual([400, '400']);
});

test('a text that only looks like such a number is stored as it is', async () => {
  const playbook = plain('looks', { x_text: '1e400' });

  const { status, json } = await ask('POST', '/playbook', { body: playbook });

  expect([status, json.x_text]).toEqual([201, '1e400']);
});
