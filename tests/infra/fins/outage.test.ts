import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { FinPeer, type FinPeerOptions } from '../../peers/fin/fin-peer.ts';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../../peers/mosquitto/start-mosquitto.ts';
import { aGateTo } from '../../support/a-gate.ts';
import { aConnectedGateway, aGateway, eventually, perform } from '../../support/a-gateway.ts';

let broker: Mosquitto;

beforeEach(async () => {
  if (!skipMosquitto) broker = await startMosquitto();
});
afterEach(async () => {
  await broker?.stop();
});

async function aFin(more: Partial<FinPeerOptions> = {}): Promise<FinPeer> {
  const ids = { finId: 'fin-a', capabilityId: 'cap-a' };
  const peer = await FinPeer.join({ port: broker.port, ...ids, ...more });
  onTestFinished(() => peer.leave());
  return peer;
}

const isUp = (gateway: { ping(): Promise<void> }) =>
  gateway.ping().then(
    () => true,
    () => false,
  );

describe.skipIf(skipMosquitto)('a broker that goes away', () => {
  test('ends a running command with a clear failure, marks its fin, and is missed by a ping', async () => {
    const gateway = await aConnectedGateway({ port: broker.port });
    const peer = await aFin({ perform: () => new Promise(() => {}) });
    const running = perform(gateway, {});
    await eventually(() => peer.begun.length === 1);

    await broker.kill();

    expect(await running).toEqual({
      ok: false,
      status: 'server_side_error',
      error:
        'The message broker was lost while the fin fin-a had the command; ' +
        'whether it was carried out is not known.',
      executedBy: 'fin-a',
    });
    await eventually(async () => (await gateway.status())[0]?.status === 'failed');
    await expect(gateway.ping()).rejects.toMatchObject({ code: 'broker-away', status: 503 });
  });

  test('and comes back is found again, fins that subscribe again are heard, nothing is sent twice', async () => {
    const gateway = await aConnectedGateway({ port: broker.port });
    const peer = await aFin({ perform: () => new Promise(() => {}) });
    const running = perform(gateway, { text: 'lost' });
    await eventually(() => peer.begun.length === 1);
    await broker.kill();
    await running;

    await broker.start();

    await eventually(() => isUp(gateway));
    const again = await aFin();
    expect(await perform(gateway, { text: 'new' })).toMatchObject({ ok: true });
    expect(await gateway.status()).toMatchObject([{ status: 'ready' }]);
    expect(again.commands.map(({ text }) => text)).toEqual(['new']);
    expect(peer.commands.map(({ text }) => text)).toEqual(['lost']);
  });

  test('keeps commands from being sent, also later', async () => {
    const gateway = await aConnectedGateway({ port: broker.port, timing: { connectMs: 200 } });
    await aFin();
    await broker.kill();
    await eventually(async () => !(await isUp(gateway)));

    const outcomes = [await perform(gateway, {}), await perform(gateway, { timeoutMs: 50 })];

    expect(outcomes).toMatchObject([
      { ok: false, status: 'server_side_error' },
      { ok: false, status: 'timeout_error' },
    ]);
    await broker.start();
    await eventually(() => isUp(gateway));
    const peer = await aFin();
    expect(await perform(gateway, { text: 'new' })).toMatchObject({ ok: true });
    expect(peer.commands.map(({ text }) => text)).toEqual(['new']);
  });

  test('for a moment is waited for by a command that was not sent yet', async () => {
    const gate = await aGateTo(broker.port);
    const gateway = await aConnectedGateway({ port: gate.port });
    await aFin();
    gate.shut();
    await eventually(async () => !(await isUp(gateway)));

    const waiting = perform(gateway, {});
    gate.open();

    expect(await waiting).toMatchObject({ ok: true });
  });

  test('only for the service misses no result: it is acknowledged when the service is back', async () => {
    const gate = await aGateTo(broker.port);
    const gateway = await aConnectedGateway({ port: gate.port });
    const release = Promise.withResolvers<void>();
    const peer = await aFin({
      repeatMs: 500,
      perform: async () => {
        await release.promise;
        return { state: 'success' };
      },
    });
    const running = perform(gateway, {});
    await eventually(() => peer.begun.length === 1);
    gate.shut();
    expect(await running).toMatchObject({ ok: false, status: 'server_side_error' });

    release.resolve();
    gate.open();

    expect(await perform(gateway, {})).toMatchObject({ ok: true });
    expect(peer.unanswered).toBe(0);
    expect(peer.commands).toHaveLength(2);
  });
});

describe.skipIf(skipMosquitto)('a broker that is not there yet', () => {
  test('does not keep the service from starting, and is found when it comes', async () => {
    await broker.kill();
    const gateway = await aGateway({ port: broker.port });
    expect(await gateway.status()).toEqual([]);
    expect(await isUp(gateway)).toBe(false);

    await broker.start();

    await eventually(() => isUp(gateway));
    await aFin();
    expect(await perform(gateway, {})).toMatchObject({ ok: true });
  });

  test('does not keep the service from being stopped, nor a fin from being purged', async () => {
    const gateway = await aConnectedGateway({ port: broker.port, timing: { connectMs: 100 } });
    await aFin();
    await broker.kill();

    expect(await gateway.purge('fin-a')).toBe(true);

    expect(await gateway.status()).toEqual([]);
    await expect(gateway.order('fin-a', 'pause')).resolves.toBeUndefined();
    await gateway.close();
  });
});
