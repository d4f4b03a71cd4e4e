/** The webhook against a real HTTP receiver. */

import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { toRunEventWire } from '../../../../functions/http/wire/run-event.ts';
import type { EgressPolicy } from '../../../../infra/capabilities/addressing/egress.ts';
import { openReporting } from '../../../../infra/reporters/open-reporting.ts';
import {
  type Answer,
  type HttpPeer,
  type SeenRequest,
  startHttpPeer,
  valuesOf,
} from '../../../peers/http/http-peer.ts';
import { aLog } from '../a-log.ts';
import {
  aRun,
  aStepRecord,
  ended,
  started,
  startedMs,
  stepEnded,
  stepStarted,
} from '../an-event.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function aReceiver(answer: (request: SeenRequest, count: number) => Answer = () => ({})) {
  let count = 0;
  const peer = await startHttpPeer((request) => {
    count += 1;
    return answer(request, count);
  });
  peers.push(peer);
  return peer;
}

type Options = { readonly secret?: string; readonly allows?: EgressPolicy };

function reportingTo(port: number, { secret, allows = () => true }: Options = {}) {
  const { log, logged } = aLog();
  const slept: number[] = [];
  let uuids = 0;
  const reporting = openReporting({
    config: {
      maxReporters: 5,
      caseManagement: undefined,
      webhook: { url: `http://127.0.0.1:${port}/hook?x=1`, secret },
      manualWebhook: undefined,
    },
    allows,
    lookUp: async () => undefined,
    render: toRunEventWire,
    clock: { now: () => startedMs },
    ids: {
      uuid: () => {
        uuids += 1;
        return `delivery-${uuids}`;
      },
    },
    log,
    sleep: async (forMs) => void slept.push(forMs),
  });
  return { reporting, logged, slept };
}

const bodyOf = (request: SeenRequest | undefined) => JSON.parse(request?.body.toString() ?? '');

test('every event is posted, spelt like the report', async () => {
  const peer = await aReceiver();
  const { reporting } = reportingTo(peer.port);
  const step = aStepRecord('isolate');

  for (const event of [started(), stepStarted(step), stepEnded(step), ended()]) {
    reporting.report(event);
  }
  await reporting.close();

  expect(peer.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(4).fill('POST /hook?x=1'),
  );
  expect(peer.requests.map((request) => valuesOf(request, 'x-theobroma-event')[0])).toEqual([
    'execution-started',
    'step-started',
    'step-ended',
    'execution-ended',
  ]);
  expect(bodyOf(peer.requests[2])).toEqual({
    type: 'execution_event',
    event: 'step-ended',
    execution: {
      id: aRun().executionId,
      execution_id: aRun().executionId,
      playbook_id: aRun().playbookId,
      name: 'Isolate host',
      description: 'Cut it off',
      started: '2026-01-02T03:04:05.000Z',
      ended: '0001-01-01T00:00:00Z',
      status: 'ongoing',
      status_text: 'the playbook is being executed',
      errors: [],
    },
    step: {
      execution_id: aRun().executionId,
      step_id: step.stepId,
      name: 'isolate',
      description: '',
      started: '2026-01-02T03:04:05.000Z',
      ended: '2026-01-02T03:04:06.000Z',
      status: 'ongoing',
      status_text: 'the step is being executed',
      errors: [],
      executed_by: 'svc',
      commands_b64: [],
      variables: {},
      automated_execution: true,
    },
  });
});

describe('a body', () => {
  test('is signed with the time it is sent at', async () => {
    const peer = await aReceiver();
    const { reporting } = reportingTo(peer.port, { secret: 'shared secret' });

    reporting.report(started());
    await reporting.close();

    const [request] = peer.requests;
    const seconds = startedMs / 1_000;
    const expected = createHmac('sha256', 'shared secret')
      .update(`${seconds}.${request?.body.toString()}`)
      .digest('hex');
    expect(valuesOf(request, 'x-theobroma-signature')).toEqual([`t=${seconds},v1=${expected}`]);
  });

  test('is not signed without a secret', async () => {
    const peer = await aReceiver();
    const { reporting } = reportingTo(peer.port);

    reporting.report(started());
    await reporting.close();

    expect(valuesOf(peer.requests[0], 'x-theobroma-signature')).toEqual([]);
  });
});

describe('a receiver', () => {
  test('in trouble is asked again, later each time, with the same delivery id', async () => {
    const peer = await aReceiver((_request, count) => {
      if (count === 1) return { status: 503 };
      if (count === 2) return { status: 429, headers: { 'Retry-After': '7' } };
      return count === 3 ? { status: 500 } : {};
    });
    const { reporting, logged, slept } = reportingTo(peer.port);

    reporting.report(started());
    await reporting.close();

    expect(slept).toEqual([500, 7_000, 2_000]);
    expect(new Set(peer.requests.map((one) => valuesOf(one, 'x-theobroma-delivery')[0]))).toEqual(
      new Set(['delivery-1']),
    );
    expect(peer.requests).toHaveLength(4);
    expect(logged).toEqual([]);
  });

  test('that is away is given up after eight attempts, and the next event is tried anew', async () => {
    const peer = await aReceiver();
    await peer.close();
    peers.splice(0);
    const { reporting, logged, slept } = reportingTo(peer.port);

    reporting.report(started());
    reporting.report(ended());
    await reporting.close();

    expect(slept).toEqual([1, 2].flatMap(() => [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]));
    expect(logged.map(({ event, fields }) => [event, fields?.['kind']])).toEqual([
      ['reporter.delivery-failed', 'execution-started'],
      ['reporter.delivery-failed', 'execution-ended'],
    ]);
    expect(String(logged[0]?.fields?.['error'])).toBe(
      `CallFailed: POST http://127.0.0.1:${peer.port}/hook failed: connection refused`,
    );
  });

  test.each([
    ['refuses', { status: 400, body: 'no thanks' }, 'answered HTTP 400 no thanks'],
    ['redirects', { status: 307, headers: { Location: '/elsewhere' } }, 'answered HTTP 307'],
  ])('that %s is not asked again', async (_what, answer, reason) => {
    const peer = await aReceiver(() => answer);
    const { reporting, logged } = reportingTo(peer.port);

    reporting.report(started());
    await reporting.close();

    expect(peer.requests).toHaveLength(1);
    expect(String(logged[0]?.fields?.['error'])).toContain(reason);
  });

  test('at a denied destination is never connected to', async () => {
    const peer = await aReceiver();
    const { reporting, logged, slept } = reportingTo(peer.port, { allows: () => false });

    reporting.report(started());
    await reporting.close();

    expect(peer.connections().made).toBe(0);
    expect(slept).toEqual([]);
    expect(String(logged[0]?.fields?.['error'])).toContain('connections to it are not allowed');
  });
});
