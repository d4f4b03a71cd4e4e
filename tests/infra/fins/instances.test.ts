import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FinPeer, type FinPeerOptions } from '../../peers/fin/fin-peer.ts';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../../peers/mosquitto/start-mosquitto.ts';
import {
  aConnectedGateway,
  aFinStore,
  eventually,
  graceOver,
  perform,
  type TestGateway,
} from '../../support/a-gateway.ts';

let broker: Mosquitto;

beforeAll(async () => {
  if (!skipMosquitto) broker = await startMosquitto();
});
afterAll(async () => {
  await broker?.stop();
});

let count = 0;

/** Two instances of the service over one store, and a fin. */
async function twoInstances(fin: Partial<FinPeerOptions> = {}) {
  count += 1;
  const { port } = broker;
  const serviceTopic = `svc-${count}`;
  const store = aFinStore();
  const options = { port, serviceTopic, store };
  const one = await aConnectedGateway(options);
  const two = await aConnectedGateway({ ...options, version: '3.1.1' });
  const agent = `cap-${count}`;
  const ids = { finId: `fin-${count}`, capabilityId: agent };
  const peer = await FinPeer.connect({ port, serviceTopic, repeatMs: 2_000, ...ids, ...fin });
  onTestFinished(() => peer.leave());
  return { one, two, peer, agent };
}

function acksOf(peer: FinPeer, messageId: string): number {
  return peer.heard.filter(({ message }) => message['message_id'] === messageId).length;
}

const both = ({ one, two }: { one: TestGateway; two: TestGateway }) => [one, two];

describe.skipIf(skipMosquitto)('two instances of the service on one broker', () => {
  test('answer a registration once, and both know the fin', async () => {
    const place = await twoInstances();
    const { peer, agent } = place;

    expect(await peer.register('once')).toBe('ack');

    for (const gateway of both(place)) {
      expect(await gateway.status()).toMatchObject([{ status: 'ready' }]);
      expect(await perform(gateway, { agent })).toMatchObject({ ok: true });
    }
    // By now the other one would have answered, too.
    await graceOver();
    expect(acksOf(peer, 'once')).toBe(1);
    expect(both(place).flatMap(({ securityEvents }) => securityEvents)).toEqual(['fin_registered']);
  });

  test('share a fin: one command at a time, every result for who waits, acknowledged once', async () => {
    let working = 0;
    let most = 0;
    const place = await twoInstances({
      perform: async ({ text }) => {
        working += 1;
        most = Math.max(most, working);
        await new Promise((resolve) => setImmediate(resolve));
        working -= 1;
        return { state: 'success', variables: { __n__: { value: text } } };
      },
    });
    const { peer, agent } = place;
    await peer.register();
    const texts = Array.from({ length: 100 }, (_, n) => `${n}`);

    const outcomes = await Promise.all(
      texts.map((text, n) => perform(both(place)[n % 2] ?? place.one, { agent, text })),
    );

    expect(outcomes.map(({ values }) => values?.['__n__'])).toEqual(texts);
    expect(most).toBe(1);
    expect(peer.begun).toHaveLength(100);
    expect(peer.unanswered).toBe(0);
    const acks = () => peer.heard.filter(({ message }) => message['type'] === 'ack').slice(1);
    await eventually(() => acks().length >= 100);
    await graceOver();
    expect(acks()).toHaveLength(100);
  });

  test('never take the result of the same step of the same execution from each other', async () => {
    const place = await twoInstances({
      perform: ({ text }) => ({ state: 'success', variables: { __n__: { value: text } } }),
    });
    const { one, two, peer, agent } = place;
    await peer.register();
    const execution = randomUUID();
    const texts = Array.from({ length: 40 }, (_, n) => `${n}`);

    const outcomes = await Promise.all(
      texts.map((text, n) => perform(n % 2 === 0 ? one : two, { agent, text, execution })),
    );

    expect(outcomes.map(({ values }) => values?.['__n__'])).toEqual(texts);
  });

  test('do not take a fin for dead that is at work for the other', async () => {
    const release = Promise.withResolvers<void>();
    const { one, two, peer, agent } = await twoInstances({
      perform: async ({ text }) => {
        if (text === 'long') await release.promise;
        return { state: 'success' };
      },
    });
    await peer.register();
    const long = perform(one, { agent, text: 'long' });
    await eventually(() => peer.begun.length === 1);

    const short = perform(two, { agent, text: 'short' });

    expect(await two.status()).toMatchObject([{ status: 'running' }]);
    // Longer than a fin may take to acknowledge a command.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(peer.commands).toHaveLength(1);
    release.resolve();
    expect(await Promise.all([long, short])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  test('leave no result unanswered when the one that sent the command is gone', async () => {
    const release = Promise.withResolvers<void>();
    const { one, two, peer, agent } = await twoInstances({
      perform: async () => {
        await release.promise;
        return { state: 'success' };
      },
    });
    await peer.register();
    const lost = perform(one, { agent });
    await eventually(() => peer.begun.length === 1);
    await one.close();

    const next = perform(two, { agent });
    release.resolve();

    expect(await lost).toMatchObject({ ok: false, status: 'server_side_error' });
    expect(await next).toMatchObject({ ok: true });
    expect(peer.unanswered).toBe(0);
  });

  test('answer a fin that unregisters once, and both know that it stopped', async () => {
    const place = await twoInstances();
    await place.peer.register();

    expect(await place.peer.unregister('bye')).toBe('ack');

    await graceOver();
    expect(acksOf(place.peer, 'bye')).toBe(1);
    for (const gateway of both(place)) {
      expect(await gateway.status()).toMatchObject([{ status: 'stopped' }]);
    }
  });

  test('know of a purge by the other, which stays the only one to speak', async () => {
    const { one, two, peer } = await twoInstances();
    await peer.register();

    await one.purge(peer.options.finId);

    expect(await two.status()).toEqual([]);
    await graceOver();
    const told = peer.heard.filter(({ message }) => message['type'] === 'unregister');
    const ids = told.map(({ message }) => message['message_id']);
    const others = peer.heard.filter(
      ({ topic, message }) => topic !== 'svc' && message['type'] === 'ack',
    );
    expect(told).toHaveLength(2);
    expect(others.filter(({ message }) => ids.includes(message['message_id']))).toEqual([]);
  });
});
