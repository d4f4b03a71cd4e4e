/** /trigger and /reporter from outside, against a real HTTP target. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import {
  action,
  aPlaybook,
  byPerson,
  end,
  idOf,
  playbookIdOf,
  start,
  targetIds,
} from '../support/a-playbook.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../support/http-target.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let target: HttpTarget;
let ask: Client;

beforeAll(async () => {
  target = await startHttpTarget(({ url }) => {
    if (url.startsWith('/refuse')) return { status: 500, body: 'broken' };
    if (url.startsWith('/add-x')) return { body: `${url.split('=')[1]}x` };
    return { body: `answer to ${url}` };
  });
  service = await startService({ environment: { MAX_EXECUTIONS: '200' } });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await target.close();
});

const atTarget = (): JsonObject => ({
  target_definitions: {
    [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [target.url] } },
  },
});

const hosted = (name: string, steps: Parameters<typeof aPlaybook>[1], more: JsonObject = {}) =>
  aPlaybook(name, steps, { ...atTarget(), ...more });

const calls = (...paths: readonly string[]) => ({
  commands: paths.map((path) => ({ type: 'http-api', command: `GET ${path} HTTP/1.1` })),
});

const reportOf = async (answer: { readonly json: { readonly 'execution-id': string } }) =>
  (await ask('GET', `/reporter/${answer.json['execution-id']}`)).json;

describe('an ad hoc playbook', () => {
  test('blocks until its end, answers the ids and reports what it did', async () => {
    const playbook = hosted('ad hoc', { start: start('a'), a: action('end'), end });

    const answer = await ask('POST', '/trigger/playbook', { body: playbook });
    const report = await reportOf(answer);

    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      'execution-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'playbook-id': playbook.id,
      status: 'successfully_executed',
    });
    const step = report.step_results[idOf('action', 'a')];
    expect(report).toMatchObject({
      type: 'execution_status',
      status: 'successfully_executed',
      errors: [],
      request_interval: '5',
    });
    expect(step).toMatchObject({
      status: 'successfully_executed',
      executed_by: 'svc',
      commands_b64: [btoa('GET /a HTTP/1.1')],
      automated_execution: true,
      execution_count: 1,
    });
    expect(step.variables.__svc_http_api_result__.value).toBe('answer to /a');
    expect((await ask('GET', '/playbook')).json).toEqual([]);
  });

  test('that fails answers 200 with the status', async () => {
    const playbook = hosted('fails', {
      start: start('a'),
      a: action('end', calls('/refuse')),
      end,
    });

    const answer = await ask('POST', '/trigger/playbook', { body: playbook });

    expect([answer.status, answer.json.status]).toEqual([200, 'failed']);
    const report = await reportOf(answer);
    expect(report.errors[0]).toContain('HTTP 500');
    expect(report.step_results[idOf('action', 'a')].error).toContain('broken');
  });

  test('that is not valid starts nothing', async () => {
    const before = (await ask('GET', '/reporter')).json.length;

    const answer = await ask('POST', '/trigger/playbook', { body: { type: 'playbook' } });

    expect(answer.status).toBe(400);
    expect((await ask('GET', '/reporter')).json).toHaveLength(before);
  });

  test('runs every command for every target until one fails', async () => {
    const first = target.received.length;
    const playbook = hosted('order', {
      start: start('a'),
      a: action('end', calls('/one', '/refuse', '/never')),
      end,
    });

    await ask('POST', '/trigger/playbook', { body: playbook });

    expect(target.received.slice(first).map(({ url }) => url)).toEqual(['/one', '/refuse']);
  });
});

describe('a stored playbook', () => {
  const id = playbookIdOf('stored');
  const external = { type: 'string', value: 'declared', external: true };
  const declared = {
    playbook_variables: { __who__: external, __fixed__: { type: 'string', value: 'fixed' } },
  };
  const stored = () =>
    hosted(
      'stored',
      { start: start('a'), a: action('end', calls('/hello?name=__who__:value')), end },
      declared,
    );

  beforeAll(async () => {
    await ask('POST', '/playbook', { body: stored() });
  });
  afterAll(async () => {
    await ask('DELETE', `/playbook/${id}`);
  });

  test.each([
    ['no body', undefined],
    ['{}', '{}'],
    ['null', 'null'],
  ])('runs with its own values for %s', async (_, body) => {
    const answer = await ask('POST', `/trigger/playbook/${id}`, { body });

    expect(answer.json.status).toBe('successfully_executed');
    expect(target.received.at(-1)?.url).toBe('/hello?name=declared');
  });

  test('takes values for external variables and stays as it was', async () => {
    const body = { __who__: { type: 'string', value: 42 } };

    const answer = await ask('POST', `/trigger/playbook/${id}`, { body });

    expect(answer.status).toBe(200);
    expect(target.received.at(-1)?.url).toBe('/hello?name=42');
    expect((await ask('GET', `/playbook/${id}`)).json).toEqual(stored());
  });

  test.each([
    ['an unknown variable', { __other__: { type: 'string', value: 'x' } }],
    ['another type', { __who__: { type: 'integer', value: '1' } }],
    ['a variable that is not external', { __fixed__: { type: 'string', value: 'x' } }],
    ['another name inside', { __who__: { type: 'string', name: '__x__', value: 'x' } }],
    ['an object as value', { __who__: { type: 'string', value: {} } }],
    ['no object', { __who__: 'x' }],
    ['a list', []],
  ])('refuses %s', async (_, body) => {
    const count = target.received.length;

    const answer = await ask('POST', `/trigger/playbook/${id}`, { body });

    expect(answer.status).toBe(400);
    expect(target.received).toHaveLength(count);
  });

  test('that does not exist is refused', async () => {
    const answer = await ask('POST', `/trigger/playbook/${playbookIdOf('nothing')}`);

    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain(playbookIdOf('nothing'));
  });

  test('triggered twice at once runs twice', async () => {
    const answers = await Promise.all([
      ask('POST', `/trigger/playbook/${id}`),
      ask('POST', `/trigger/playbook/${id}`),
    ]);

    const ids = new Set(answers.map(({ json }) => json['execution-id']));
    expect(ids.size).toBe(2);
  });

  test('triggered again with the same Idempotency-Key answers the first execution', async () => {
    const headers = { 'idempotency-key': 'only once' };
    const count = target.received.length;

    const first = await ask('POST', `/trigger/playbook/${id}`, { headers });
    const again = await ask('POST', `/trigger/playbook/${id}`, { headers });
    const other = await ask('POST', `/trigger/playbook/${id}`, {
      headers,
      body: { __who__: { type: 'string', value: 'somebody else' } },
    });

    expect(again.json).toEqual(first.json);
    expect(target.received).toHaveLength(count + 1);
    expect(other.status).toBe(422);
  });
});

describe('preferences', () => {
  const waits = () => hosted('waits', { start: start('ask'), ask: action('end', byPerson), end });

  test('respond-async answers at once where the report will be', async () => {
    const headers = { prefer: 'respond-async' };
    const answer = await ask('POST', '/trigger/playbook', { body: waits(), headers });
    const location = answer.headers.get('location') ?? '';

    const report = await ask('GET', location);

    expect(answer.status).toBe(202);
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(location).toBe(`/reporter/${answer.json['execution-id']}`);
    expect(report.status).toBe(206);
    expect(report.json).toMatchObject({ status: 'ongoing', ended: '0001-01-01T00:00:00Z' });
  });

  test('wait answers after so many seconds at most', async () => {
    const startedMs = Date.now();
    const headers = { prefer: 'wait=1' };
    const answer = await ask('POST', '/trigger/playbook', { body: waits(), headers });

    expect(answer.status).toBe(202);
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(950);
    expect(Date.now() - startedMs).toBeLessThan(5_000);
  });

  test('a wait that is no number is refused', async () => {
    const headers = { prefer: 'wait=long' };

    expect((await ask('POST', '/trigger/playbook', { body: waits(), headers })).status).toBe(400);
  });

  test('a client that goes away does not stop the execution', async () => {
    const playbook = hosted('left alone', {
      start: start('ask'),
      ask: action('end', byPerson),
      end,
    });
    const leaving = new AbortController();
    const call = fetch(`${service.url}/trigger/playbook`, {
      method: 'POST',
      body: JSON.stringify(playbook),
      signal: leaving.signal,
    });
    const isMine = (entry: { playbook_id: string }) => entry.playbook_id === playbook.id;
    const pending = async () => (await ask('GET', '/manual')).json.find(isMine);
    const command = await until(pending, (found) => found !== undefined);

    leaving.abort();
    await call.catch(() => {});
    const { execution_id, step_id } = command;
    await ask('POST', '/manual/continue', {
      body: { execution_id, step_id, response_status: 'success' },
    });

    const report = await until(
      () => ask('GET', `/reporter/${execution_id}`),
      ({ status }) => status === 200,
    );
    expect(report.json.status).toBe('successfully_executed');
  });
});

describe('reports', () => {
  test('count the rounds of a loop and keep the earlier ones', async () => {
    const playbook = hosted(
      'loop',
      {
        start: start('w'),
        w: {
          type: 'while-condition',
          condition: "__svc_http_api_result__:value != '-xx'",
          on_true: 'round',
          on_completion: 'end',
        },
        round: action('round-end', calls('/add-x?to=__svc_http_api_result__:value')),
        'round-end': end,
        end,
      },
      { playbook_variables: { __svc_http_api_result__: { type: 'string', value: '-' } } },
    );

    const report = await reportOf(await ask('POST', '/trigger/playbook', { body: playbook }));

    const round = report.step_results[idOf('action', 'round')];
    expect(round.execution_count).toBe(2);
    expect(round.previous).toHaveLength(1);
    expect(round.previous[0].variables.__svc_http_api_result__.value).toBe('-x');
    expect(report.step_results[idOf('while-condition', 'w')].status_text).toContain('2 turns');
  });

  test('name the execution of a called playbook, and that one names its caller', async () => {
    const child = hosted('child', {
      start: start('c'),
      c: action('end', calls('/from-child')),
      end,
    });
    await ask('POST', '/playbook', { body: child });
    const parent = hosted('parent', {
      start: start('call'),
      call: { type: 'playbook-action', playbook_id: String(child.id), on_completion: 'end' },
      end,
    });

    const report = await reportOf(await ask('POST', '/trigger/playbook', { body: parent }));

    const call = report.step_results[idOf('playbook-action', 'call')];
    const called = (await ask('GET', `/reporter/${call.sub_execution_id}`)).json;
    expect(call.sub_playbook_id).toBe(child.id);
    expect(called).toMatchObject({
      parent_execution_id: report.execution_id,
      parent_step_id: idOf('playbook-action', 'call'),
      status: 'successfully_executed',
    });
    await ask('DELETE', `/playbook/${child.id}`);
  });

  test('hide credentials wherever they turn up', async () => {
    const secret = 'xQ-secret-9000';
    const auth = 'http-basic--55555555-5555-4555-8555-555555555555';
    const playbook = hosted(
      'secrets',
      {
        start: start('a'),
        a: action('end', calls(`/echo/${secret}`)),
        end,
      },
      {
        authentication_info_definitions: {
          [auth]: { type: 'http-basic', user_id: 'me', password: secret },
        },
        target_definitions: {
          [targetIds.box]: {
            type: 'http-api',
            name: 'box',
            address: { url: [target.url] },
            authentication_info: auth,
          },
        },
      },
    );

    const answer = await ask('POST', '/trigger/playbook', { body: playbook });
    const report = await ask('GET', `/reporter/${answer.json['execution-id']}`);

    expect(target.received.at(-1)?.headers.authorization).toBe(`Basic ${btoa(`me:${secret}`)}`);
    expect(report.text).not.toContain(secret);
    expect(report.text).not.toContain(btoa(`GET /echo/${secret} HTTP/1.1`));
    expect(service.lines.join('\n')).not.toContain(secret);
  });

  test('are listed oldest first', async () => {
    const list = (await ask('GET', '/reporter')).json;

    const times = list.map(({ started }: { started: string }) => started);
    expect(times).toEqual(times.toSorted());
    expect(list.length).toBeGreaterThan(5);
  });
});
