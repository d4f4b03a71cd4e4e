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
  eventually,
  type GatewayOptions,
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

type Place = {
  readonly gateway: TestGateway;
  readonly serviceTopic: string;
  /** A fin that has not registered; ids are made unique to the test. */
  fin(name: string, more?: Partial<FinPeerOptions>): Promise<FinPeer>;
  id(text: string): string;
};

async function aPlace(more: Partial<GatewayOptions> = {}): Promise<Place> {
  count += 1;
  const suffix = count;
  const { port } = broker;
  const serviceTopic = `svc-${suffix}`;
  const gateway = await aConnectedGateway({ port, serviceTopic, ...more });
  const id = (text: string) => `${text}-${suffix}`;
  return {
    gateway,
    serviceTopic,
    id,
    fin: async (name, options = {}) => {
      const ids = { finId: id(`fin-${name}`), capabilityId: id(`cap-${name}`) };
      const peer = await FinPeer.connect({
        port,
        serviceTopic,
        repeatMs: 1_000,
        ...ids,
        ...options,
      });
      onTestFinished(() => peer.leave());
      return peer;
    },
  };
}

describe.skipIf(skipMosquitto)('a fin that registers', () => {
  test('is acknowledged on its own topic, listed, found for its agent and remembered', async () => {
    const { gateway, fin, id } = await aPlace();
    const peer = await fin('a');

    expect(await peer.register('the-message')).toBe('ack');

    const answer = await peer.hears(({ message }) => message['type'] === 'ack');
    expect(answer).toEqual({
      topic: id('fin-a'),
      message: { type: 'ack', message_id: 'the-message' },
    });
    expect(await gateway.status()).toEqual([
      { name: `name of ${id('cap-a')}`, status: 'ready', id: id('fin-a'), version: '1.2.0' },
    ]);
    expect(await perform(gateway, { agent: `agent of ${id('fin-a')}` })).toMatchObject({
      ok: true,
    });
    expect((await gateway.store.read()).fins).toMatchObject([{ id: id('fin-a') }]);
    expect(gateway.securityEvents).toEqual(['fin_registered']);
  });

  test('brings its example into the step catalogue', async () => {
    const { gateway, fin } = await aPlace();
    const example = { type: 'action', name: 'resolve', command: 'resolve example.org' };
    const peer = await fin('a', { capability: { name: 'DNS lookup', step: { example } } });

    await peer.register();

    expect(await gateway.catalogue()).toEqual([
      { module: 'DNS lookup', category: 'action', context: 'external', example },
    ]);
  });

  test('again replaces what it registered before', async () => {
    const { gateway, fin, id } = await aPlace();
    await (await fin('a')).register();

    const again = await fin('a', { capabilityId: id('cap-b') });

    expect(await again.register()).toBe('ack');
    expect(await gateway.status()).toMatchObject([{ name: `name of ${id('cap-b')}` }]);
    expect(await gateway.directory.find('x--1', { type: 'f', name: id('cap-a') })).toBeUndefined();
  });

  test('and says it twice is acknowledged twice and registered once', async () => {
    const { gateway, fin } = await aPlace();
    const peer = await fin('a');

    const messageId = randomUUID();
    expect(await peer.register(messageId)).toBe('ack');
    const { revision } = await gateway.store.read();
    expect(await peer.register(messageId)).toBe('ack');

    expect((await gateway.store.read()).revision).toBe(revision);
  });

  test('a capability another fin has is refused, and nothing of its message is kept', async () => {
    const { gateway, fin, id } = await aPlace();
    await (await fin('a')).register();
    const peer = await fin('b', { capabilityId: id('cap-a') });

    expect(await peer.register()).toBe('nack');

    expect(await gateway.status()).toMatchObject([{ id: id('fin-a') }]);
  });

  test('takes over a capability whose owner has failed', async () => {
    const { gateway, fin, id } = await aPlace();
    await (await fin('a', { deaf: true })).register();
    await perform(gateway, { agent: id('cap-a') });
    await eventually(async () => (await gateway.status())[0]?.status === 'failed');

    const peer = await fin('b', { capabilityId: id('cap-a') });

    expect(await peer.register()).toBe('ack');
    expect(await gateway.status()).toMatchObject([{ id: id('fin-b'), status: 'ready' }]);
  });

  test.each(['svc-ssh', 'http-api', '$SYS/broker', 'a/#', ''])(
    'with the capability "%s" is refused',
    async (capabilityId) => {
      const { gateway, fin } = await aPlace();
      const peer = await fin('a');

      const message = {
        type: 'register',
        message_id: 'bad',
        fin_id: peer.options.finId,
        capabilities: [{ capability_id: capabilityId }],
      };

      expect(await peer.ask(peer.options.serviceTopic ?? '', message)).toBe('nack');
      expect(await gateway.status()).toEqual([]);
    },
  );

  test('is forgotten by nobody when the service starts again, and needs not register anew', async () => {
    const { gateway, fin, id, serviceTopic } = await aPlace();
    const peer = await fin('a');
    await peer.register();
    await gateway.close();

    const { port } = broker;
    const other = await aConnectedGateway({ port, serviceTopic, store: gateway.store });

    expect(await other.status()).toMatchObject([{ id: id('fin-a'), status: 'ready' }]);
    expect(await perform(other, { agent: id('cap-a') })).toMatchObject({ ok: true });
    expect(peer.commands).toHaveLength(1);
  });
});

describe.skipIf(skipMosquitto)('a message that cannot be understood', () => {
  test('is passed over or refused, and the service goes on', async () => {
    const { gateway, fin, id, serviceTopic } = await aPlace();
    const peer = await fin('a');
    await peer.register();
    for (const topic of [serviceTopic, id('cap-a'), id('fin-a')]) {
      for (const text of ['', '{', '[]', 'null', '{}', '{"type":"dance","message_id":"1"}']) {
        peer.publish(topic, text);
      }
      peer.publish(topic, `{"type":"result","message_id":"deep","a":${'['.repeat(5_000)}`);
      peer.publish(topic, { type: 'register', message_id: 'lost' });
    }
    peer.publish(id('cap-a'), { type: 'result', message_id: 'half', result: { state: 'success' } });

    const refused = await peer.hears(({ message }) => message['message_id'] === 'half');
    const register = await peer.hears(({ message }) => message['message_id'] === 'lost');

    expect(refused).toEqual({ topic: id('cap-a'), message: { type: 'nack', message_id: 'half' } });
    expect(register).toEqual({
      topic: serviceTopic,
      message: { type: 'nack', message_id: 'lost' },
    });
    expect(await perform(gateway, { agent: id('cap-a') })).toMatchObject({ ok: true });
  });
});

describe.skipIf(skipMosquitto)('a fin that goes', () => {
  test('by unregistering itself is acknowledged, shown as stopped and no longer found', async () => {
    const { gateway, fin, id } = await aPlace();
    const peer = await fin('a');
    await peer.register();

    expect(await peer.unregister()).toBe('ack');

    expect(await gateway.status()).toMatchObject([{ id: id('fin-a'), status: 'stopped' }]);
    expect(await gateway.directory.find('x--1', { type: 'f', name: id('cap-a') })).toBeUndefined();
    expect(await peer.register()).toBe('ack');
    expect(await gateway.status()).toMatchObject([{ status: 'ready' }]);
  });

  test('by unregistering although nobody knows it is acknowledged all the same', async () => {
    const { fin } = await aPlace();

    expect(await (await fin('a')).unregister()).toBe('ack');
  });

  test('because it is purged is told by its id and by its capability, and forgotten', async () => {
    const { gateway, fin, id, serviceTopic } = await aPlace();
    const peer = await fin('a');
    await peer.register();

    expect(await gateway.purge(id('fin-a'), 'me')).toBe(true);

    expect(await gateway.status()).toEqual([]);
    expect(await gateway.purge(id('fin-a'))).toBe(false);
    const told = peer.heard.filter(({ message }) => message['type'] === 'unregister');
    const message_id = expect.any(String);
    expect(told).toEqual([
      {
        topic: serviceTopic,
        message: {
          type: 'unregister',
          message_id,
          capability_id: null,
          fin_id: id('fin-a'),
          all: false,
        },
      },
      {
        topic: serviceTopic,
        message: {
          type: 'unregister',
          message_id,
          capability_id: id('cap-a'),
          fin_id: null,
          all: false,
        },
      },
    ]);
    expect(gateway.securityEvents).toEqual(['fin_registered', 'fin_purged']);
  });

  test('silently is forgotten by a purge all the same', async () => {
    const { gateway, fin, id } = await aPlace({ timing: { answerMs: 100 } });
    const peer = await fin('a');
    await peer.register();
    await peer.leave();

    expect(await gateway.purge(id('fin-a'))).toBe(true);
    expect(await gateway.status()).toEqual([]);
  });

  test('with all others is told once, and all are forgotten', async () => {
    const { gateway, fin } = await aPlace();
    const peers = [await fin('a'), await fin('b')];
    for (const peer of peers) await peer.register();

    expect(await gateway.purgeAll()).toBe(2);

    expect(await gateway.status()).toEqual([]);
    for (const peer of peers) {
      const { message } = await peer.hears((heard) => heard.message['type'] === 'unregister');
      expect(message).toMatchObject({ all: true, fin_id: null, capability_id: null });
    }
  });

  test.each([true, false])('with the service, if the setting says so: %s', async (unregisters) => {
    const { gateway, fin } = await aPlace({ unregisterOnShutdown: unregisters });
    const peer = await fin('a');
    await peer.register();

    await gateway.close();

    const { fins } = await gateway.store.read();
    expect(fins.map(({ state }) => state)).toEqual([unregisters ? 'stopped' : 'ready']);
    const told = peer.heard.some(({ message }) => message['all'] === true);
    expect(told).toBe(unregisters);
  });
});

describe.skipIf(skipMosquitto)('an order to a fin', () => {
  test('to pause is answered by its progress, and commands are refused until it resumes', async () => {
    const { gateway, fin, id } = await aPlace();
    await (await fin('a', { obeys: true })).register();
    const capability = id('cap-a');
    const progress = 'paused';

    const paused = await gateway.order(id('fin-a'), 'pause');

    expect(paused).toEqual([{ capability, answer: 'acknowledged', progress }]);
    expect(await perform(gateway, { agent: capability })).toMatchObject({ status: 'failed' });
    expect(await gateway.order(id('fin-a'), 'progress')).toEqual(paused);
    expect(await gateway.order(id('fin-a'), 'resume')).toEqual([
      { capability, answer: 'acknowledged' },
    ]);
    expect(await perform(gateway, { agent: capability })).toMatchObject({ ok: true });
  });

  test('to stop leaves it stopped once it has acknowledged', async () => {
    const { gateway, fin, id } = await aPlace();
    await (await fin('a', { obeys: true })).register();

    await gateway.order(id('fin-a'), 'stop');

    expect(await gateway.status()).toMatchObject([{ status: 'stopped' }]);
  });

  test('that it does not know stays without answer and changes nothing', async () => {
    const { gateway, fin, id } = await aPlace({ timing: { answerMs: 100 } });
    await (await fin('a')).register();

    const capability = id('cap-a');
    expect(await gateway.order(id('fin-a'), 'stop')).toEqual([{ capability, answer: 'silent' }]);
    expect(await gateway.status()).toMatchObject([{ status: 'ready' }]);
    expect(await gateway.order('nobody', 'stop')).toBeUndefined();
  });
});
