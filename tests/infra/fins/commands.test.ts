import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stepId } from '../../contracts/builders.ts';
import { FinPeer, type FinPeerOptions } from '../../peers/fin/fin-peer.ts';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../../peers/mosquitto/start-mosquitto.ts';
import {
  aConnectedGateway,
  eventually,
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

/** A service and a fin of their own topics, so that tests on one broker do not hear each other. */
async function aServiceWithFin(
  fin: Partial<FinPeerOptions> = {},
  more: { readonly version?: '5' | '3.1.1' } = {},
): Promise<{ gateway: TestGateway; peer: FinPeer; agent: string }> {
  count += 1;
  const { port } = broker;
  const serviceTopic = `svc-${count}`;
  const gateway = await aConnectedGateway({ port, serviceTopic, ...more });
  const agent = `cap-${count}`;
  const ids = { finId: `fin-${count}`, capabilityId: agent };
  const peer = await FinPeer.join({ port, serviceTopic, ...ids, ...fin });
  onTestFinished(() => peer.leave());
  return { gateway, peer, agent };
}

const state = async (gateway: TestGateway) => (await gateway.status()).map(({ status }) => status);

describe.skipIf(skipMosquitto)('a command to a fin', () => {
  test('is carried out with its text, context and complete variables, and its variables come back', async () => {
    const execution = randomUUID();
    const { gateway, peer, agent } = await aServiceWithFin({
      perform: () => ({
        state: 'success',
        variables: {
          out: { type: 'string', name: '__ip__', value: '192.0.2.7' },
          __count__: { type: 'integer', name: 'count', value: 3 },
          __flag__: { value: true },
          __none__: { type: 'string', value: null },
        },
      }),
    });

    const outcome = await perform(gateway, {
      agent,
      execution,
      text: 'resolve example.org',
      variables: {
        __host__: { type: 'string', value: 'example.org' },
        __own__: { type: 'of-my-own', value: '', constant: true, name: 'other' },
        __unset__: { type: 'string' },
      },
      timeoutMs: 29_100,
    });

    expect(outcome).toEqual({
      ok: true,
      values: { __ip__: '192.0.2.7', __count__: '3', __flag__: 'true' },
      executedBy: peer.options.finId,
    });
    const complete = { description: '', constant: false, external: false };
    expect(peer.fatal).toEqual([]);
    expect(peer.commands).toMatchObject([
      {
        text: 'resolve example.org',
        authentication: undefined,
        target: undefined,
        context: { execution_id: execution, step_id: stepId(1), timeout: 30, completed_on: null },
      },
    ]);
    expect(peer.commands[0]?.variables).toEqual({
      __host__: { ...complete, type: 'string', name: '__host__', value: 'example.org' },
      __own__: { ...complete, type: 'string', name: '__own__', value: '', constant: true },
    });
    expect(await state(gateway)).toEqual(['ready']);
  });

  test('carries the credentials and the target of the step', async () => {
    const { gateway, peer, agent } = await aServiceWithFin();
    const target = { type: 'net-address', name: 'host', address: { ipv4: ['192.0.2.1'] } };

    const outcome = await perform(gateway, {
      agent,
      target,
      authentication: {
        id: 'user-auth--4c',
        type: 'user-auth',
        username: 'u',
        password: 'p',
        private_key: 'k',
      },
    });

    expect(outcome.ok).toBe(true);
    expect(peer.commands[0]?.authentication).toEqual({
      id: 'user-auth--4c',
      type: 'user-auth',
      username: 'u',
      password: 'p',
      kms: false,
    });
    expect(peer.commands[0]?.target).toMatchObject(target);
  });

  test('with credentials no fin understands is not sent', async () => {
    const { gateway, peer, agent } = await aServiceWithFin();

    const outcome = await perform(gateway, { agent, authentication: { type: 'private-key' } });

    expect(outcome).toMatchObject({
      ok: false,
      status: 'client_side_error',
      error: 'Authentication of the type private-key is not supported by fins.',
    });
    expect(peer.commands).toEqual([]);
  });

  test.each([
    ['Success', true],
    ['succes', true],
    ['failure', false],
    ['', false],
  ])('that ends in the state "%s" succeeds: %s', async (word, ok) => {
    const variables = { __why__: { value: 'because' } };
    const { gateway, agent } = await aServiceWithFin({
      perform: () => ({ state: word, variables }),
    });

    const outcome = await perform(gateway, { agent });

    expect(outcome).toMatchObject({
      ok,
      values: { __why__: 'because' },
      ...(ok ? {} : { status: 'failed' }),
    });
  });

  test('that the fin does not finish in time fails, and its late result is acknowledged', async () => {
    const release = Promise.withResolvers<void>();
    const { gateway, peer, agent } = await aServiceWithFin({
      perform: async () => {
        await release.promise;
        return { state: 'success' };
      },
    });

    const outcome = await perform(gateway, { agent, timeoutMs: 150 });
    const working = await state(gateway);
    release.resolve();

    expect(outcome).toMatchObject({
      ok: false,
      status: 'timeout_error',
      error: `The fin ${peer.options.finId} did not answer until the time of the step was up.`,
    });
    expect(working).toEqual(['running']);
    // The next command waits for the fin and is not taken for the late one.
    expect(await perform(gateway, { agent })).toMatchObject({ ok: true });
    expect(peer.unanswered).toBe(0);
    expect(peer.begun).toHaveLength(2);
  });

  test('waits while the fin is busy with one given up on, and is never sent if its own time ends first', async () => {
    const release = Promise.withResolvers<void>();
    const { gateway, peer, agent } = await aServiceWithFin({
      perform: async () => {
        await release.promise;
        return { state: 'success' };
      },
    });
    await perform(gateway, { agent, timeoutMs: 100 });

    const outcome = await perform(gateway, { agent, timeoutMs: 100 });

    release.resolve();
    expect(outcome).toMatchObject({ ok: false, status: 'timeout_error' });
    expect(outcome).toMatchObject({ error: expect.stringContaining('busy with other commands') });
    expect(peer.commands).toHaveLength(1);
  });

  test('of a cancelled execution ends at once', async () => {
    const cancelling = new AbortController();
    const { gateway, agent } = await aServiceWithFin({
      perform: () => {
        cancelling.abort(new Error('cancelled'));
        return new Promise(() => {});
      },
    });

    const outcome = await perform(gateway, { agent, signal: cancelling.signal });

    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
    expect(outcome).toMatchObject({ error: 'The execution was cancelled.' });
  });

  test('that the fin refuses fails at once and marks the fin, which recovers with the next', async () => {
    let refuses = true;
    const { gateway, peer, agent } = await aServiceWithFin();
    Object.defineProperty(peer.options, 'refuses', { get: () => refuses });

    const refused = await perform(gateway, { agent });

    expect(refused).toMatchObject({
      ok: false,
      status: 'failed',
      error: `The fin ${peer.options.finId} refused the command.`,
    });
    await eventually(async () => (await state(gateway))[0] === 'failed');
    refuses = false;
    expect(await perform(gateway, { agent })).toMatchObject({ ok: true });
    await eventually(async () => (await state(gateway))[0] === 'ready');
  });

  test('that the fin does not acknowledge fails, is not sent again, and marks the fin', async () => {
    const { gateway, peer, agent } = await aServiceWithFin({ deaf: true });

    const outcome = await perform(gateway, { agent });

    expect(outcome).toMatchObject({
      ok: false,
      status: 'timeout_error',
      error: `The fin ${peer.options.finId} did not acknowledge the command.`,
    });
    expect(peer.commands).toHaveLength(1);
    await eventually(async () => (await state(gateway))[0] === 'failed');
    expect(await perform(gateway, { agent })).toMatchObject({ ok: false });
    expect(peer.commands).toHaveLength(2);
  });

  test('whose result comes without acknowledgement before counts all the same', async () => {
    const { gateway, peer, agent } = await aServiceWithFin({ deaf: true });
    const outcome = perform(gateway, { agent });
    await eventually(() => peer.commands.length === 1);

    const [command] = peer.commands;
    if (command !== undefined) peer.publish(agent, peer.result(command, { state: 'success' }));

    expect(await outcome).toMatchObject({ ok: true });
  });

  test('is told from an earlier one of the same step by the time its result echoes', async () => {
    const { gateway, peer, agent } = await aServiceWithFin({ deaf: true });
    const execution = randomUUID();
    await perform(gateway, { agent, execution, timeoutMs: 100 });
    const second = perform(gateway, { agent, execution });
    await eventually(() => peer.commands.length === 2);

    const [first, other] = peer.commands;
    if (first === undefined || other === undefined) throw new Error('two commands');
    peer.publish(agent, peer.result(first, { state: 'failure' }, 'late'));
    peer.publish(agent, peer.result(other, { state: 'success' }, 'timely'));

    expect(await second).toMatchObject({ ok: true });
    for (const id of ['late', 'timely'])
      await peer.hears(({ message }) => message['message_id'] === id);
  });
});

describe.skipIf(skipMosquitto)('many commands to one fin', () => {
  test('of two executions at once are carried out one after the other, each with its own result', async () => {
    let working = 0;
    const { gateway, peer, agent } = await aServiceWithFin({
      perform: async ({ text }) => {
        working += 1;
        expect(working).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        working -= 1;
        return { state: 'success', variables: { __echo__: { value: text } } };
      },
    });

    const outcomes = await Promise.all(
      ['one', 'two'].map((text) => perform(gateway, { agent, text })),
    );

    expect(outcomes).toMatchObject([
      { ok: true, values: { __echo__: 'one' } },
      { ok: true, values: { __echo__: 'two' } },
    ]);
    expect(peer.fatal).toEqual([]);
  });

  test.each(['5', '3.1.1'] as const)(
    'all come back once, a thousand of them over MQTT %s',
    async (version) => {
      const { gateway, peer, agent } = await aServiceWithFin(
        { perform: ({ text }) => ({ state: 'success', variables: { __n__: { value: text } } }) },
        { version },
      );
      const texts = Array.from({ length: 1_000 }, (_, n) => `${n}`);

      const outcomes = await Promise.all(
        texts.map((text) => perform(gateway, { agent, text, timeoutMs: 30_000 })),
      );

      expect(outcomes.map((outcome) => outcome.values?.['__n__'])).toEqual(texts);
      expect(peer.begun.map(({ text }) => text).sort()).toEqual([...texts].sort());
      expect(peer.unanswered).toBe(0);
      const answered = () =>
        peer.heard.filter(({ topic, message }) => topic === agent && message['type'] === 'ack');
      await eventually(() => answered().length >= 1_000);
      expect(new Set(answered().map(({ message }) => message['message_id'])).size).toBe(1_000);
      expect(answered()).toHaveLength(1_000);
    },
    60_000,
  );

  test('a result that comes twice is acknowledged twice and counts once', async () => {
    const { gateway, peer, agent } = await aServiceWithFin({ deaf: true });
    const outcome = perform(gateway, { agent });
    await eventually(() => peer.commands.length === 1);
    const [command] = peer.commands;
    if (command === undefined) throw new Error('a command');

    for (const state of ['failure', 'success']) {
      peer.publish(agent, peer.result(command, { state }, 'the-result'));
    }

    expect(await outcome).toMatchObject({ ok: false, status: 'failed' });
    const acks = () => peer.heard.filter(({ message }) => message['message_id'] === 'the-result');
    await eventually(() => acks().length === 2);
  });

  test('a result nobody waits for is acknowledged after a while', async () => {
    const { peer, agent } = await aServiceWithFin();
    const context = { step_id: stepId(9), execution_id: randomUUID(), playbook_id: 'p' };

    peer.publish(agent, {
      type: 'result',
      message_id: 'stray',
      result: { state: 'success', context },
    });

    const answer = await peer.hears(({ message }) => message['message_id'] === 'stray');
    expect(answer).toEqual({ topic: agent, message: { type: 'ack', message_id: 'stray' } });
  });
});
