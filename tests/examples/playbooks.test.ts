/** The examples that speak HTTP, executed by the product against a target on the loopback. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, clientOf, until } from '../support/client.ts';
import { type HttpTarget, type Reaction, startHttpTarget } from '../support/http-target.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;
let target: HttpTarget;
/** Answers by `METHOD /path`; anything else gets 200 and no body. */
let answers: { [call: string]: () => Reaction } = {};

beforeAll(async () => {
  target = await startHttpTarget(({ method, url }) => answers[`${method} ${url}`]?.() ?? {});
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await target.close();
});
beforeEach(() => {
  answers = {};
  calls = target.received.length;
});

let calls = 0;
const made = () => target.received.slice(calls).map(({ method, url }) => `${method} ${url}`);

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../examples/${name}.json`), 'utf8'));

const uris = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'uri', value: target.url }]));

/** Stores the example and starts it; `finished` waits for its report. */
async function begin(name: string, variables: object) {
  const playbook = read(name);
  await ask('POST', '/playbook', { body: playbook });
  const headers = { prefer: 'respond-async' };
  const { json } = await ask('POST', `/trigger/playbook/${playbook.id}`, {
    body: variables,
    headers,
  });
  const id: string = json['execution-id'];
  const finished = async () => {
    const answer = await until(
      () => ask('GET', `/reporter/${id}`),
      ({ status }) => status === 200,
    );
    return answer.json;
  };
  return { id, finished };
}

async function run(name: string, variables: object) {
  return (await begin(name, variables)).finished();
}

const namesOf = (report: { step_results: object }) =>
  Object.values<{ name: string; status: string }>(
    report.step_results as { [id: string]: { name: string; status: string } },
  ).map(({ name, status }) => `${name}: ${status}`);

test('check-service finds the service well', async () => {
  const report = await run('check-service', { __service__: { type: 'uri', value: service.url } });

  expect(report.status).toBe('successfully_executed');
  expect(namesOf(report)).toEqual([
    'Ask for a sign of life: successfully_executed',
    'Is it well?: successfully_executed',
    'Read its version: successfully_executed',
  ]);
});

test('ask-operator decides by the answer', async () => {
  const { id, finished } = await begin('ask-operator', {});
  const isMine = ({ execution_id }: { execution_id: string }) => execution_id === id;
  const { execution_id, step_id, out_args } = await until(
    async () => (await ask('GET', '/manual')).json.find(isMine),
    (found) => found !== undefined,
  );
  const response_out_args = { __answer__: { type: 'string', value: 'yes' } };

  const body = { execution_id, step_id, response_status: 'success', response_out_args };
  await ask('POST', '/manual/continue', { body });
  const report = await finished();

  expect(Object.keys(out_args)).toEqual(['__answer__']);
  expect(report.status).toBe('successfully_executed');
  expect(namesOf(report)).toEqual([
    'Shall we go on?: successfully_executed',
    'Was it a yes?: successfully_executed',
  ]);
});

describe('block-address', () => {
  const token = 'tk-3f9c0a7d51';
  const given = (address: string) => ({
    ...uris('__firewall__'),
    __address__: { type: 'ipv4-addr', value: address },
    __firewall_token__: { type: 'string', value: token },
  });

  test('blocks the address, and the token shows up nowhere', async () => {
    const report = await run('block-address', given('203.0.113.77'));

    expect(report.status).toBe('successfully_executed');
    expect(made()).toEqual(['POST /blocks', 'GET /blocks/203.0.113.77']);
    const [block] = target.received.slice(calls);
    expect(block?.headers.authorization).toBe(`Bearer ${token}`);
    expect(JSON.parse(block?.body ?? '')).toEqual({ address: '203.0.113.77', reason: 'playbook' });
    expect(JSON.stringify(report)).not.toContain(token);
  });

  test('leaves addresses of the own network alone', async () => {
    const report = await run('block-address', given('198.51.100.20'));

    expect(report.status).toBe('successfully_executed');
    expect(made()).toEqual([]);
  });

  test('ends in its exception branch when the firewall refuses', async () => {
    answers['POST /blocks'] = () => ({ status: 503 });

    const report = await run('block-address', given('203.0.113.77'));

    expect(report.status).toBe('exception_condition_error');
    expect(report.errors[0]).toContain('HTTP 503');
  });
});

describe('triage-with-approval', () => {
  const given = () => uris('__edr__', '__tickets__');
  const host = '/hosts/ws-0417.example.com';

  async function answered(response: object) {
    answers[`GET ${host}`] = () => ({ body: '12 alerts today' });
    const { id, finished } = await begin('triage-with-approval', given());
    const isMine = ({ execution_id }: { execution_id: string }) => execution_id === id;
    const command = await until(
      async () => (await ask('GET', '/manual')).json.find(isMine),
      (found) => found !== undefined,
    );
    const { execution_id, step_id } = command;
    await ask('POST', '/manual/continue', { body: { execution_id, step_id, ...response } });
    return { command, report: await finished() };
  }

  const decision = (value: string) => ({
    response_status: 'success',
    response_out_args: {
      __decision__: { type: 'string', value },
      __reason__: { type: 'string', value: 'seen before' },
    },
  });

  test('shows what is known and isolates after a yes', async () => {
    const { command, report } = await answered(decision('isolate'));

    expect(command.command).toBe(
      'Host ws-0417.example.com: 12 alerts today. Isolate it or leave it?',
    );
    expect(report.status).toBe('successfully_executed');
    expect(made()).toEqual([`GET ${host}`, `POST ${host}/isolation`]);
    expect(target.received.at(-1)?.body).toBe('{"reason":"seen before"}');
  });

  test('only notes a no', async () => {
    const { report } = await answered(decision('leave'));

    expect(report.status).toBe('successfully_executed');
    expect(made()).toEqual([`GET ${host}`, `POST ${host}/notes`]);
  });

  test('writes a ticket when the analyst reports failure', async () => {
    const { report } = await answered({ response_status: 'failure' });

    expect(report.status).toBe('exception_condition_error');
    expect(made()).toEqual([`GET ${host}`, 'POST /tickets']);
  });
});

test('loop-until-clean asks until the host is clean', async () => {
  const path = '/hosts/ws-0417.example.com/scan';
  const states = ['running', 'clean'];
  answers[`GET ${path}`] = () => ({ body: states.shift() ?? 'clean' });

  const report = await run('loop-until-clean', uris('__edr__'));

  expect(report.status).toBe('successfully_executed');
  expect(made()).toEqual([`POST ${path}`, `GET ${path}`, `GET ${path}`]);
});

test.each([
  ['critical', 'POST /pages'],
  ['high', 'POST /tickets'],
  ['low', 'POST /counters/4711'],
])('route-by-severity sends a %s alert to %s', async (severity, call) => {
  answers['GET /alerts/4711/severity'] = () => ({ body: severity });

  const report = await run('route-by-severity', uris('__siem__', '__desk__'));

  expect(report.status).toBe('successfully_executed');
  expect(made()).toEqual(['GET /alerts/4711/severity', call]);
});

test('collect-evidence collects three times and makes one entry', async () => {
  const report = await run('collect-evidence', uris('__edr__', '__cases__'));

  const collected = ['processes', 'connections', 'memory'].map(
    (kind) => `POST /hosts/ws-0417.example.com/collect/${kind}`,
  );
  expect(report.status).toBe('successfully_executed');
  expect(made()).toEqual([...collected, 'POST /cases/case-2026-0042/entries']);
});

describe('fall-back', () => {
  const given = () => uris('__resolver__', '__proxy__', '__desk__');
  const down = () => ({ status: 502 });

  test.each([
    ['the resolver works', [], ['POST /sinkholes'], 'successfully_executed'],
    [
      'only the proxy works',
      ['POST /sinkholes'],
      ['POST /sinkholes', 'POST /denials'],
      'successfully_executed',
    ],
    [
      'neither works',
      ['POST /sinkholes', 'POST /denials'],
      ['POST /sinkholes', 'POST /denials', 'POST /pages'],
      'exception_condition_error',
    ],
  ])('does what it can when %s', async (_, away, expected, status) => {
    for (const call of away) answers[call] = down;

    const report = await run('fall-back', given());

    expect(made()).toEqual(expected);
    expect(report.status).toBe(status);
  });
});

test('call-another executes the stored playbook and uses what it returned', async () => {
  answers['POST /messages/20260115.0900.4711/purge'] = () => ({ body: '37 mailboxes' });
  await ask('POST', '/playbook', { body: read('purge-message') });

  const report = await run('call-another', uris('__mail__'));

  expect(report.status).toBe('successfully_executed');
  expect(made()).toEqual(['POST /messages/20260115.0900.4711/purge', 'POST /replies']);
  expect(target.received.at(-1)?.body).toContain('Purged: 37 mailboxes');
});

test('deny-with-openc2 sends the command as OpenC2', async () => {
  const report = await run('deny-with-openc2', uris('__consumer__'));

  const sent = target.received.at(-1);
  expect(report.status).toBe('successfully_executed');
  expect(sent?.headers['content-type']).toBe('application/openc2+json;version=1.0');
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    action: 'deny',
    target: { ipv4_net: '203.0.113.45' },
  });
});
