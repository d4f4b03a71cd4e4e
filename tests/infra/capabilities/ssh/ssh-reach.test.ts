import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { AgentTarget } from '../../../../core/cacao/model.ts';
import type { Capability } from '../../../../core/ports/capability.ts';
import { createSshCapability } from '../../../../infra/capabilities/ssh/ssh-capability.ts';
import { freePort, skipSshd, startSshd } from '../../../peers/sshd/start-sshd.ts';
import { anInvocation, forServer, listen, perform, recordingLog, timeUp } from './ssh-fixture.ts';

const unknownNames: LookupFunction = (_name, _options, callback) =>
  callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), '');

function aCapability(connectTimeoutMs = 5_000): Capability {
  return createSshCapability({
    keys: undefined,
    hostKeyPolicy: 'off',
    knownHostsPath: '',
    log: recordingLog(),
    connectTimeoutMs,
    lookup: unknownNames,
  });
}

describe('targets that cannot be reached', () => {
  test('a refused connection fails, naming host and port', async () => {
    const port = await freePort();

    const outcome = await perform(aCapability(), anInvocation('true', { port }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: `Cannot connect to 127.0.0.1:${port}: the connection was refused (ECONNREFUSED).`,
    });
  });

  test('a name nobody knows fails', async () => {
    const address = { dname: ['nowhere.invalid'] };

    const outcome = await perform(aCapability(), anInvocation('true', { address }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: 'Cannot connect to nowhere.invalid:22: the name is not known (ENOTFOUND).',
    });
  });

  test.each([
    ['a web server', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'],
    ['noise', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251))],
    ['the start of ssh and then noise', `SSH-2.0-x\r\n${'\x7f'.repeat(5_000)}`],
    ['an older protocol', 'SSH-1.5-old\r\n'],
  ])('%s instead of an ssh server fails', async (_, answer) => {
    const listener = await listen((socket) => socket.end(answer));

    const outcome = await perform(aCapability(), anInvocation('true', { port: listener.port }));
    await listener.stop();

    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      error: expect.stringContaining(`Cannot connect to 127.0.0.1:${listener.port}: `),
    });
  });

  test('a server that hangs up at once fails', async () => {
    const listener = await listen((socket) => socket.destroy());

    const outcome = await perform(aCapability(), anInvocation('true', { port: listener.port }));
    await listener.stop();

    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
  });

  test('a server that says nothing fails when the time for connecting is over', async () => {
    const listener = await listen(() => {});

    const outcome = await perform(aCapability(200), anInvocation('true', { port: listener.port }));
    await listener.stop();

    expect(outcome).toMatchObject({
      status: 'failed',
      error: `Cannot connect to 127.0.0.1:${listener.port}: no answer within 200 ms.`,
    });
  });

  test('a step whose time is up while connecting ends as a timeout, a cancelled one as failed', async () => {
    const listener = await listen(() => {});
    const end = async (reason: Error) => {
      const stop = new AbortController();
      const { signal } = stop;
      const running = perform(aCapability(), anInvocation('true', { port: listener.port, signal }));
      stop.abort(reason);
      return running;
    };

    const late = await end(timeUp());
    const cancelled = await end(new Error('by the operator'));
    await listener.stop();

    expect(late).toEqual({
      ok: false,
      status: 'timeout_error',
      error: 'The command was not begun before the time of the step was up.',
    });
    expect(cancelled).toEqual({
      ok: false,
      status: 'failed',
      error: 'The command was cancelled before it began.',
    });
  });
});

describe('targets that connections may not go to', () => {
  test.each([
    ['by address', { ipv4: ['127.0.0.1'] }, '127.0.0.1'],
    ['by name', { dname: ['localhost'] }, 'localhost'],
  ])('a forbidden target is not connected to (%s)', async (_, address, host) => {
    let connections = 0;
    const listener = await listen(() => {
      connections += 1;
    });
    const ssh = createSshCapability({
      keys: undefined,
      hostKeyPolicy: 'off',
      knownHostsPath: '',
      log: recordingLog(),
      allows: ({ address: ip }) => !ip.startsWith('127.') && ip !== '::1',
    });

    const outcome = await perform(ssh, anInvocation('true', { address, port: listener.port }));
    await listener.stop();

    expect(outcome).toMatchObject({
      status: 'failed',
      error: `Cannot connect to ${host}:${listener.port}: connections to it are not allowed.`,
    });
    expect(connections).toBe(0);
  });
});

describe('targets the playbook describes badly', () => {
  const target = (address: AgentTarget['address'], port: string | number = 22) =>
    perform(aCapability(), anInvocation('true', { address, port }));

  test.each([
    ['no address', {}],
    ['a blank address', { ipv4: [''] }],
    ['only addresses of other kinds', { l2mac: ['00-00-00-00-00-01'] }],
  ])('%s is the fault of the playbook', async (_, address) => {
    expect(await target(address)).toEqual({
      ok: false,
      status: 'client_side_error',
      error: 'The target has no usable address.',
    });
  });

  test.each([
    ['a name that could write into the known hosts file', { dname: ['a\n* ssh-ed25519 AAAA'] }],
    ['a wildcard', { dname: ['*'] }],
    ['a url without a host', { url: ['file:///etc/passwd'] }],
    ['a url with a wildcard', { url: ['ssh://*/'] }],
  ])('%s is refused and never dialled', async (_, address) => {
    expect(await target(address)).toMatchObject({ ok: false, status: 'client_side_error' });
  });

  test.each(['0', '65536', 'ssh', '-22', '2.2'])(
    'port %s is the fault of the playbook',
    async (port) => {
      expect(await target({ ipv4: ['127.0.0.1'] }, port)).toEqual({
        ok: false,
        status: 'client_side_error',
        error: `The port must be a number from 1 to 65535, not "${port}".`,
      });
    },
  );

  test.each(['', '  ', 'ssh  '])('the command %j is the fault of the playbook', async (text) => {
    expect(await perform(aCapability(), anInvocation(text))).toEqual({
      ok: false,
      status: 'client_side_error',
      error: 'The command is empty.',
    });
  });
});

describe.skipIf(skipSshd)('addresses of a real OpenSSH server', () => {
  test('the addresses of a target are tried in order until one answers', async () => {
    const server = await startSshd({ hostKeys: ['ed25519'] });
    const address = { dname: ['nowhere.invalid'], ipv4: ['127.0.0.2', '127.0.0.1'], ipv6: ['::1'] };

    const reached = await perform(aCapability(), forServer(server, 'echo here', { address }));
    const byUrl = await perform(
      aCapability(),
      forServer(server, 'echo here', {
        address: { url: [`ssh://127.0.0.1:${server.port}/`] },
        port: '',
      }),
    );
    await server.stop();
    const nowhere = await perform(aCapability(), forServer(server, 'echo here', { address }));

    expect(reached).toEqual({ ok: true, values: { __svc_ssh_result__: 'here\n' } });
    expect(byUrl).toEqual(reached);
    expect(nowhere).toMatchObject({
      error: [
        `Cannot connect to nowhere.invalid:${server.port}: the name is not known (ENOTFOUND).`,
        `Cannot connect to 127.0.0.2:${server.port}: the connection was refused (ECONNREFUSED).`,
        `Cannot connect to 127.0.0.1:${server.port}: the connection was refused (ECONNREFUSED).`,
        `Cannot connect to [::1]:${server.port}: the connection was refused (ECONNREFUSED).`,
      ].join(' '),
    });
  });

  test('of three targets each answers for itself', async () => {
    const server = await startSshd({ hostKeys: ['ed25519'] });
    const session = aCapability().begin(Object.create(null));
    const ports = [server.port, await freePort(), server.port];

    const outcomes = [];
    for (const port of ports)
      outcomes.push(await session.perform(forServer(server, 'true', { port })));
    await session.end();
    await server.stop();

    expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, false, true]);
  });
});
