/** What a command to a fin costs above the broker that carries it. Runs by itself, too. */

import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { connectAsync, type MqttClient } from 'mqtt';
import type { StepId } from '../../../core/cacao/ids.ts';
import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { FinGateway } from '../../../core/fins/fin-gateway.ts';
import type { Capability } from '../../../core/ports/capability.ts';
import { openFins } from '../../../infra/fins/open-fins.ts';
import { randomIds, systemClock } from '../../../infra/process/system-clock.ts';
import { createMemoryStores } from '../../../infra/stores/memory/create-memory-stores.ts';
import { playbookId, stepId } from '../../contracts/builders.ts';
import { FinPeer } from '../../peers/fin/fin-peer.ts';
import { skipMosquitto, startMosquitto } from '../../peers/mosquitto/start-mosquitto.ts';
import { noLog } from '../../support/no-log.ts';
import { bestOf, elapsedMs, type Figure, type Part, percentile } from '../figure.ts';

const ROUND_TRIPS = 1_000;
const COMMANDS = 2_000;

export const fins: Part = {
  name: 'fins',
  says:
    'Commands to one fin over a Mosquitto on this machine, without Nagle delays on any side. The fin does ' +
    'nothing and acknowledges, answers and waits for the answer to its result as the protocol wants it; it ' +
    'shares a thread with the service. A raw round trip is one small message (QoS 1) answered by another ' +
    '(QoS 0) in the same process; a command takes four messages, two of them one after the other. Durable ' +
    'engine and store are not in it.',
  run: async () => {
    if (skipMosquitto) return [];
    const broker = await startMosquitto();
    const gateway = await aGateway(broker.port);
    const peer = await FinPeer.join({ port: broker.port, finId: 'fin', capabilityId: 'cap' });
    try {
      return await measure(broker.port, gateway);
    } finally {
      await peer.leave();
      await gateway.close();
      await broker.stop();
    }
  },
};

async function measure(port: number, gateway: FinGateway): Promise<readonly Figure[]> {
  const capability = await gateway.directory.find('agent--1', { type: 'fin', name: 'cap' });
  if (capability === undefined) throw new Error('The fin is not known.');
  const many = () => Promise.all(Array.from({ length: COMMANDS }, () => perform(capability)));
  await many();
  const manyMs = await bestOf(3, () => elapsedMs(many));
  const rawMs = await medianRoundTrip(port);
  const oneMs = await medianOf(() => perform(capability));
  return [
    { what: 'commands through one fin', value: COMMANDS / (manyMs / 1_000), unit: '1/s' },
    { what: 'raw round trip, median', value: rawMs, unit: 'ms' },
    { what: 'one command alone, median', value: oneMs, unit: 'ms' },
    { what: 'one command / raw round trip', value: oneMs / rawMs, unit: 'x', target: 5 },
  ];
}

async function aGateway(port: number): Promise<FinGateway> {
  const gateway = await openFins(
    {
      broker: '127.0.0.1',
      port,
      tls: undefined,
      credentials: undefined,
      version: '5',
      serviceTopic: 'svc',
      listener: 'always',
      listenMs: 1_000,
      unregisterOnShutdown: false,
    },
    {
      store: createMemoryStores().fins,
      clock: systemClock,
      ids: randomIds,
      log: noLog,
      securityLog: { record: () => {} },
      agentPrefixes: ['svc'],
    },
  );
  await gateway.ping();
  return gateway;
}

async function perform(capability: Capability): Promise<void> {
  const step: StepId = stepId(1);
  const session = capability.begin({
    executionId: randomUUID() as ExecutionId,
    playbookId: playbookId(1),
    stepId: step,
    workKey: 'work',
    deadlineMs: Date.now() + 60_000,
  });
  const outcome = await session.perform({
    command: { type: 'fin' },
    text: 'nothing',
    content: undefined,
    agent: { type: 'fin', name: 'cap' },
    variables: { __host__: { type: 'string', value: 'example.org' } },
    outArgs: [],
    signal: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.error);
}

async function medianRoundTrip(port: number): Promise<number> {
  const asking = await aClient(port);
  const answering = await aClient(port);
  await asking.subscribeAsync('pong', { qos: 1 });
  await answering.subscribeAsync('ping', { qos: 1 });
  answering.on('message', () => void answering.publish('pong', 'x', { qos: 0 }));
  const median = await medianOf(async () => {
    const answered = new Promise((resolve) => asking.once('message', resolve));
    asking.publish('ping', 'x', { qos: 1 });
    await answered;
  });
  await Promise.all([asking.endAsync(), answering.endAsync()]);
  return median;
}

async function aClient(port: number): Promise<MqttClient> {
  const client = await connectAsync({ host: '127.0.0.1', port, protocolVersion: 5 });
  if (client.stream instanceof Socket) client.stream.setNoDelay(true);
  return client;
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < ROUND_TRIPS; n += 1) times.push(await elapsedMs(work));
  return percentile(times, 0.5);
}
