/** /execution from outside: search, dry run, beginning again. (Cancel, pause, resume: manual.test.ts.) */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { action, aPlaybook, byPerson, end, idOf, start, targetIds } from '../support/a-playbook.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let target: HttpTarget;
let ask: Client;
let isBroken = true;

beforeAll(async () => {
  target = await startHttpTarget(({ url }) => ({
    status: url.startsWith('/b') && isBroken ? 500 : 200,
    body: url,
  }));
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await target.close();
});

const hosted = (name: string, steps: Parameters<typeof aPlaybook>[1], more: JsonObject = {}) =>
  aPlaybook(name, steps, {
    target_definitions: {
      [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [target.url] } },
    },
    ...more,
  });

const chain = () =>
  hosted('chain', {
    start: start('a'),
    a: action('b', { out_args: ['__svc_http_api_result__'] }),
    b: action('check', {
      commands: [
        { type: 'http-api', command: 'GET /b?was=__svc_http_api_result__:value HTTP/1.1' },
      ],
    }),
    check: {
      type: 'if-condition',
      condition: "'1' = '1'",
      on_true: 'inside',
      on_completion: 'end',
    },
    inside: action('inside-end'),
    'inside-end': end,
    end,
  });

describe('an ended execution', () => {
  test('is begun again at the step that failed, with what the steps before it brought', async () => {
    const failed = (await ask('POST', '/trigger/playbook', { body: chain() })).json;
    isBroken = false;
    const count = target.received.length;

    const path = `/execution/${failed['execution-id']}/rerun`;
    const again = await ask('POST', path, { body: { step_id: idOf('action', 'b') } });
    const report = await until(
      () => ask('GET', again.headers.get('location') ?? ''),
      ({ status }) => status === 200,
    );

    expect([failed.status, again.status]).toEqual(['failed', 202]);
    expect(report.json).toMatchObject({
      status: 'successfully_executed',
      rerun_of_execution_id: failed['execution-id'],
      rerun_from_step_id: idOf('action', 'b'),
    });
    expect(target.received.slice(count).map(({ url }) => url)).toEqual(['/b?was=/a', '/inside']);
  });

  test.each([
    ['a step inside a branch', idOf('action', 'inside'), 409],
    ['a step it does not have', idOf('action', 'other'), 400],
    ['no step', undefined, 400],
  ])('is not begun again at %s', async (_, step_id, status) => {
    const { json } = await ask('POST', '/trigger/playbook', { body: chain() });

    const answer = await ask('POST', `/execution/${json['execution-id']}/rerun`, {
      body: { step_id },
    });

    expect(answer.status).toBe(status);
  });
});

test('an execution that goes on cannot be begun again', async () => {
  const body = aPlaybook('waits', { start: start('ask'), ask: action('end', byPerson), end });
  const headers = { prefer: 'respond-async' };
  const { json } = await ask('POST', '/trigger/playbook', { body, headers });
  const id = json['execution-id'];

  const again = await ask('POST', `/execution/${id}/rerun`, {
    body: { step_id: idOf('action', 'ask') },
  });

  expect(again.status).toBe(409);
  await ask('POST', `/execution/${id}/cancel`);
});

describe('the search', () => {
  test('finds executions by status, playbook, name, time and number', async () => {
    const playbook = hosted('Findable Thing', { start: start('a'), a: action('end'), end });
    const first = (await ask('POST', '/trigger/playbook', { body: playbook })).json;
    const second = (await ask('POST', '/trigger/playbook', { body: playbook })).json;
    const found = async (query: string) =>
      (await ask('GET', `/execution?${query}`)).json.map(
        ({ execution_id }: { execution_id: string }) => execution_id,
      );
    const both = [second['execution-id'], first['execution-id']];

    expect(await found(`playbook_id=${playbook['id']}`)).toEqual(both);
    expect(await found('name=findable')).toEqual(both);
    expect(await found('name=findable&limit=1')).toEqual([second['execution-id']]);
    expect(await found('name=findable&status=successfully_executed')).toEqual(both);
    expect(await found('name=findable&status=failed')).toEqual([]);
    expect(await found('name=findable&since=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await found('playbook_id=nonsense')).toEqual([]);
  });

  test.each(['status=great', 'since=yesterday', 'limit=0', 'limit=many'])(
    'refuses %s',
    async (query) => {
      const answer = await ask('GET', `/execution?${query}`);

      expect(answer.status).toBe(400);
      expect(answer.json.message).toContain(query.split('=')[0]);
    },
  );
});

describe('a dry run', () => {
  const playbook = () =>
    hosted(
      'dry',
      {
        start: start('look'),
        look: action('decide'),
        decide: {
          type: 'if-condition',
          condition: "__svc_http_api_result__:value = 'bad'",
          on_true: 'block',
          on_false: 'leave',
          on_completion: 'end',
        },
        block: action('block-end', { on_failure: 'ask' }),
        ask: action('block-end', byPerson),
        leave: action('block-end'),
        'block-end': end,
        end,
      },
      { playbook_variables: { __svc_http_api_result__: { type: 'string', value: '' } } },
    );

  test('takes the way the scripted answers lead, and performs nothing', async () => {
    const count = target.received.length;
    const answers = {
      [idOf('action', 'look')]: [{ variables: { __svc_http_api_result__: 'bad' } }],
      [idOf('action', 'block')]: [{ status: 'failed', error: 'no route' }],
    };

    const { json } = await ask('POST', '/execution/dry-run', {
      body: { playbook: playbook(), answers },
    });

    expect(json.status).toBe('successfully_executed');
    expect(json.steps.map((step: { step_id: string }) => step.step_id)).toEqual([
      idOf('action', 'look'),
      idOf('action', 'block'),
      idOf('action', 'ask'),
      idOf('if-condition', 'decide'),
    ]);
    expect(json.variables.__svc_http_api_result__.value).toBe('bad');
    expect(target.received).toHaveLength(count);
    expect((await ask('GET', '/manual')).json).toEqual([]);
  });

  test.each<[string, object, number]>([
    ['an answer for an unknown step', { answers: { 'action--x': [] } }, 400],
    [
      'a status no step ends with',
      { answers: { [idOf('action', 'look')]: [{ status: 'x' }] } },
      400,
    ],
    ['an invalid playbook', { playbook: { type: 'playbook' } }, 400],
    ['neither playbook nor id', { playbook: undefined }, 400],
    ['an unknown stored playbook', { playbook: undefined, playbook_id: 'playbook--x' }, 400],
  ])('refuses %s', async (_, more, status) => {
    const body = { playbook: playbook(), ...more };

    expect((await ask('POST', '/execution/dry-run', { body })).status).toBe(status);
  });
});
