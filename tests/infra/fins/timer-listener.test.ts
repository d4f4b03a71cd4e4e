import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FinPeer, type FinPeerOptions } from '../../peers/fin/fin-peer.ts';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../../peers/mosquitto/start-mosquitto.ts';
import { aGateway, eventually, type GatewayOptions, perform } from '../../support/a-gateway.ts';

let broker: Mosquitto;

beforeAll(async () => {
  if (skipMosquitto) return;
  // Fins publish with QoS 0: a broker that is to keep their messages has to be told.
  const settings = ['allow_anonymous true', 'queue_qos0_messages true'];
  broker = await startMosquitto({ settings });
});
afterAll(async () => {
  await broker?.stop();
});

let count = 0;

async function aSleepingService(more: Partial<GatewayOptions> = {}) {
  count += 1;
  const { port } = broker;
  const serviceTopic = `svc-${count}`;
  const agent = `cap-${count}`;
  const finId = `fin-${count}`;
  const gateway = await aGateway({ port, serviceTopic, listener: 'timer', ...more });
  const fin = async (options: Partial<FinPeerOptions> = {}) => {
    const ids = { finId, capabilityId: agent };
    const peer = await FinPeer.connect({ port, serviceTopic, ...ids, ...options });
    onTestFinished(() => peer.leave());
    return peer;
  };
  return { gateway, agent, fin };
}

describe.skipIf(skipMosquitto).each(['5', '3.1.1'] as const)(
  'a service without a standing connection, over MQTT %s',
  (version) => {
    test('takes a registration while a tick listens', async () => {
      const { gateway, fin } = await aSleepingService({ version, listenMs: 1_000 });
      const peer = await fin({ repeatMs: 200 });

      const ticking = gateway.drain();

      expect(await peer.register()).toBe('ack');
      await ticking;
      expect(await gateway.status()).toMatchObject([{ status: 'ready' }]);
    });

    test('takes with the next tick what the broker kept since the last one', async () => {
      const { gateway, fin, agent } = await aSleepingService({ version });
      await gateway.drain();
      const peer = await fin();
      const answer = peer.register('kept');

      await gateway.drain();

      expect(await answer).toBe('ack');
      const context = { step_id: 's', execution_id: 'e', playbook_id: 'p' };
      const result = { state: 'success', context };
      peer.publish(agent, { type: 'result', message_id: 'late', result });
      await gateway.drain();
      await peer.hears(({ message }) => message['message_id'] === 'late');
    });

    test('sends commands over a connection made for them, and gives it up afterwards', async () => {
      const { gateway, fin, agent } = await aSleepingService({
        version,
        listenMs: 500,
        timing: { idleMs: 50 },
      });
      const ticking = gateway.drain();
      const peer = await fin({ repeatMs: 100 });
      await peer.register();
      await ticking;

      for (let round = 0; round < 3; round += 1) {
        expect(await perform(gateway, { agent })).toMatchObject({ ok: true });
        // Longer than the connection stays without work.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }

      expect(peer.commands).toHaveLength(3);
      expect(peer.unanswered).toBe(0);
      await expect(gateway.ping()).resolves.toBeUndefined();
    });

    test('may tick while a command is under way, and nobody takes its result', async () => {
      const release = Promise.withResolvers<void>();
      const { gateway, fin, agent } = await aSleepingService({ version, listenMs: 400 });
      const first = gateway.drain();
      const peer = await fin({
        repeatMs: 100,
        perform: async () => {
          await release.promise;
          return { state: 'success' };
        },
      });
      await peer.register();
      await first;
      const outcome = perform(gateway, { agent });
      await eventually(() => peer.begun.length === 1);

      const ticking = gateway.drain();
      release.resolve();

      expect(await outcome).toMatchObject({ ok: true });
      await ticking;
      const acks = peer.heard.filter(({ topic }) => topic === agent);
      expect(acks.filter(({ message }) => message['type'] === 'ack')).toHaveLength(1);
    });
  },
);

describe.skipIf(skipMosquitto)('a tick', () => {
  test('fails when the broker is away, and so does a ping', async () => {
    const gateway = await aGateway({ port: 1, listener: 'timer', timing: { connectMs: 100 } });

    await expect(gateway.drain()).rejects.toMatchObject({ code: 'broker-away' });
  });

  test('does nothing for a service whose connection stands', async () => {
    const gateway = await aGateway({ port: 1, listener: 'always' });

    await expect(gateway.drain()).resolves.toBeUndefined();
  });
});
