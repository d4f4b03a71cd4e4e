/** Who is told while a playbook is executed: case management, webhooks, and nobody who could do harm. */

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CASE_LOGIN,
  CASE_TOKEN,
  type CasePeer,
  startCasePeer,
} from '../peers/case-management/case-peer.ts';
import { action, aPlaybook, byPerson, end, idOf, start, targetIds } from '../support/a-playbook.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { type HttpTarget, type Received, startHttpTarget } from '../support/http-target.ts';
import { type Service, startService } from '../support/service.ts';

let target: HttpTarget;
let receiver: HttpTarget;
let cases: CasePeer;
let service: Service;
let ask: Client;

beforeAll(async () => {
  target = await startHttpTarget(() => ({ body: 'done' }));
  receiver = await startHttpTarget();
  cases = await startCasePeer();
  service = await startService({
    environment: {
      CASEMGR_ACTIVATE: 'true',
      CASEMGR_API_TOKEN: CASE_TOKEN,
      CASEMGR_API_BASE_URL: cases.url.replace('/api/v1', '/'),
      CASEMGR_REPORTER: 'true',
      REPORT_WEBHOOK_URL: `${receiver.url}/report`,
      REPORT_WEBHOOK_SECRET: 'shared-secret',
      MANUAL_WEBHOOK_URL: `${receiver.url}/manual`,
    },
  });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await cases.stop();
  await receiver.close();
  await target.close();
});

const received = (path: string) => receiver.received.filter(({ url }) => url === path);
const bodyOf = ({ body }: Received) => JSON.parse(body);

const playbook = (name: string, more = {}) =>
  aPlaybook(
    name,
    { start: start('look'), look: action('decide'), decide: action('end', byPerson), end },
    {
      playbook_variables: { __host__: { type: 'ipv4-addr', value: '192.0.2.7' } },
      target_definitions: {
        [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [target.url] } },
      },
      ...more,
    },
  );

test('all of them are listed', async () => {
  expect((await ask('GET', '/status/reporters')).json).toEqual({
    reporters: ['cache', 'store', 'case-management', 'webhook'].map((name) => ({ name })),
  });
});

describe('a playbook with a question', () => {
  test('is answered by whoever was told of it, and reported from its start to its end', async () => {
    const running = ask('POST', '/trigger/playbook', { body: playbook('told') });
    const [opened] = await until(
      async () => received('/manual'),
      (messages) => messages.length === 1,
    );
    const { event, execution_id, step_id } = bodyOf(opened as Received);

    await ask('POST', '/manual/continue', {
      body: { execution_id, step_id, response_status: 'success' },
    });
    const { status, json } = await running;
    await until(
      async () => received('/report').map((one) => bodyOf(one).event),
      (events) => events.includes('execution-ended'),
    );
    const [, closed] = await until(
      async () => received('/manual'),
      (messages) => messages.length === 2,
    );

    expect(event).toBe('manual-opened');
    expect(step_id).toBe(idOf('action', 'decide'));
    expect([status, json.status]).toEqual([200, 'successfully_executed']);
    expect(bodyOf(closed as Received)).toMatchObject({
      event: 'manual-closed',
      ending: 'answered',
    });

    const told = received('/report').map(bodyOf);
    expect(told[0]).toMatchObject({ event: 'execution-started', execution: { execution_id } });
    expect(told.at(-1)).toMatchObject({
      event: 'execution-ended',
      execution: { execution_id, status: 'successfully_executed' },
    });
    const ofStep = (name: string) =>
      told.filter(({ step }) => step?.step_id === idOf('action', name)).map((one) => one.event);
    expect(ofStep('look')).toEqual(['step-started', 'step-ended']);
    expect(ofStep('decide')).toEqual(['step-started', 'step-ended']);
  });

  test('leaves a case the playbook knows, with its tasks done', async () => {
    const [made] = await until(
      async () => cases.cases,
      ([first]) => first?.status === 'TruePositive',
    );
    const report = (await ask('GET', '/reporter')).json[0];

    expect(made?.observables).toMatchObject([{ dataType: 'ip', data: '192.0.2.7' }]);
    expect(made?.tags).toContain(report.execution_id);
    expect(made?.tasks.map(({ title, status, assignee }) => [title, status, assignee])).toEqual([
      ['look', 'Completed', undefined],
      ['decide', 'Completed', CASE_LOGIN],
    ]);
    const { variables } = report.step_results[idOf('action', 'look')];
    expect(variables.__SVC_CASE_ID__).toMatchObject({ value: made?._id, constant: true });
  });

  test('is told in bodies that prove where they come from', () => {
    for (const { headers, body } of received('/report')) {
      const [, seconds, mac] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-theobroma-signature'])) ?? [];
      const expected = createHmac('sha256', 'shared-secret').update(`${seconds}.${body}`);
      expect(mac).toBe(expected.digest('hex'));
    }
    expect(received('/report').length).toBeGreaterThan(4);
  });
});

test('reporters that are away delay and change nothing, and stopping does not wait for them', async () => {
  const away = await startHttpTarget();
  await away.close();
  const lonely = await startService({
    environment: {
      CASEMGR_ACTIVATE: 'true',
      CASEMGR_API_TOKEN: 'token',
      CASEMGR_API_BASE_URL: away.url,
      REPORT_WEBHOOK_URL: away.url,
      MANUAL_WEBHOOK_URL: away.url,
    },
  });
  const body = aPlaybook(
    'lonely',
    { start: start('look'), look: action('end'), end },
    {
      target_definitions: {
        [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [target.url] } },
      },
    },
  );

  const answer = await clientOf(lonely.url)('POST', '/trigger/playbook', { body });
  const stoppingMs = Date.now();
  const code = await lonely.stop();
  const tookMs = Date.now() - stoppingMs;
  const lines = lonely.lines.join('\n');
  await lonely.dispose();

  expect(answer.json.status).toBe('successfully_executed');
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(10_000);
  expect(lines).toContain('reporter.events-undelivered');
});
