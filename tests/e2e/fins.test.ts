import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { FinPeer } from '../peers/fin/fin-peer.ts';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../peers/mosquitto/start-mosquitto.ts';
import { action, aPlaybook, end, idOf, start } from '../support/a-playbook.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let broker: Mosquitto;
let service: Service;
let ask: Client;

beforeAll(async () => {
  if (skipMosquitto) return;
  broker = await startMosquitto();
  service = await startService({
    environment: {
      ENABLE_FINS: 'true',
      MQTT_BROKER: '127.0.0.1',
      MQTT_PORT: `${broker.port}`,
      MQTT_SERVICE_TOPIC: 'service',
    },
  });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service?.dispose();
  await broker?.stop();
});

const agentId = 'svc-fin--11111111-1111-4111-8111-111111111111';

/** One step whose agent is the fin; without a target. */
function aPlaybookFor(agentName: string, text: string): JsonObject {
  return aPlaybook(
    `fin ${text}`,
    {
      start: start('look'),
      look: action('end', {
        agent: agentId,
        targets: [],
        commands: [{ type: 'fin', command: text }],
        out_args: ['__ip__'],
      }),
      end,
    },
    {
      agent_definitions: { [agentId]: { type: 'svc-fin', name: agentName } },
      playbook_variables: {
        __host__: { type: 'string', value: 'example.org' },
        __ip__: { type: 'ipv4-addr' },
      },
    },
  );
}

describe.skipIf(skipMosquitto)('a service with fins', () => {
  test('has a playbook carried out by a fin, which is listed, in the catalogue, and purged', async () => {
    await until(
      () => ask('GET', '/status/ping'),
      ({ status }) => status === 200,
    );
    const example = { type: 'action', name: 'resolve', command: 'resolve example.org' };
    const peer = await FinPeer.join({
      port: broker.port,
      serviceTopic: 'service',
      finId: 'svc-fin-dns-1',
      capabilityId: 'dns-1',
      capability: { name: 'DNS lookup', step: { example } },
      perform: ({ text }) => ({
        state: text === 'fail' ? 'failure' : 'success',
        variables: { ip: { type: 'ipv4-addr', name: '__ip__', value: '192.0.2.7' } },
      }),
    });
    onTestFinished(() => peer.leave());

    const done = await ask('POST', '/trigger/playbook', {
      body: aPlaybookFor('agent of svc-fin-dns-1', 'resolve __host__:value'),
    });
    const failed = await ask('POST', '/trigger/playbook', { body: aPlaybookFor('dns-1', 'fail') });

    expect(done.json).toMatchObject({ status: 'successfully_executed' });
    const { json: report } = await ask('GET', `/reporter/${done.json['execution-id']}`);
    expect(report.step_results[idOf('action', 'look')]).toMatchObject({
      executed_by: 'svc-fin-dns-1',
      variables: { __ip__: { type: 'ipv4-addr', value: '192.0.2.7' } },
    });
    expect(failed.json).toMatchObject({ status: 'failed' });
    expect(peer.commands.map(({ text }) => text)).toEqual(['resolve example.org', 'fail']);
    expect(peer.fatal).toEqual([]);
    expect((await ask('GET', '/status/fins')).json).toEqual({
      fins: [{ name: 'DNS lookup', status: 'ready', id: 'svc-fin-dns-1', version: '1.2.0' }],
    });
    expect((await ask('GET', '/step')).json.steps).toContainEqual({
      module: 'DNS lookup',
      category: 'action',
      context: 'external',
      example,
    });
    expect((await ask('DELETE', '/status/fins/nobody')).status).toBe(404);
    expect((await ask('POST', '/status/fins/svc-fin-dns-1/dance')).status).toBe(404);
    expect((await ask('DELETE', '/status/fins/svc-fin-dns-1')).status).toBe(200);
    expect((await ask('GET', '/status/fins')).json).toEqual({ fins: [] });
    expect((await ask('DELETE', '/status/fins')).json).toEqual({ purged: 0 });
  });

  test('is not ready while the broker is away, and serves everything else', async () => {
    await broker.kill();

    const { json } = await until(
      () => ask('GET', '/status/ping'),
      ({ status }) => status === 503,
    );

    expect(json.message).toContain('the message broker');
    expect((await ask('GET', '/playbook')).status).toBe(200);
    await broker.start();
    await until(
      () => ask('GET', '/status/ping'),
      ({ status }) => status === 200,
    );
  });
});
