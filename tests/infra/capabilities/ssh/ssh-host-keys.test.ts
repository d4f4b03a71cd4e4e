import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HostKeyPolicy } from '../../../../infra/capabilities/ssh/host-keys.ts';
import { fingerprint } from '../../../../infra/capabilities/ssh/known-hosts.ts';
import { createSshCapability } from '../../../../infra/capabilities/ssh/ssh-capability.ts';
import { type Sshd, skipSshd, startSshd } from '../../../peers/sshd/start-sshd.ts';
import { forServer, perform, type RecordingLog, recordingLog } from './ssh-fixture.ts';

const DONE = { ok: true, values: { __svc_ssh_result__: '' } };

describe.skipIf(skipSshd)('host keys of a real OpenSSH server', () => {
  let server: Sshd;
  let other: Sshd;
  let directory: string;
  let knownHostsPath: string;
  let log: RecordingLog;

  beforeAll(async () => {
    server = await startSshd();
    other = await startSshd();
  });
  afterAll(() => Promise.all([server?.stop(), other?.stop()]));
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ssh-'));
    knownHostsPath = join(directory, 'made', 'known_hosts');
    log = recordingLog();
  });
  afterEach(() => rm(directory, { recursive: true }));

  const run = (hostKeyPolicy: HostKeyPolicy) =>
    perform(
      createSshCapability({ keys: undefined, hostKeyPolicy, knownHostsPath, log }),
      forServer(server, 'true'),
    );
  const known = (text: string) => {
    knownHostsPath = join(directory, 'known_hosts');
    return writeFile(knownHostsPath, text);
  };
  const name = () => `[127.0.0.1]:${server.port}`;
  const fingerprintOf = (line: string) =>
    fingerprint(Buffer.from(line.split(' ')[1] ?? '', 'base64'));

  test('first use files the key for its owner only, and finds it again', async () => {
    const first = await run('first-use');
    const second = await run('first-use');

    expect([first, second]).toEqual([DONE, DONE]);
    expect(await readFile(knownHostsPath, 'utf8')).toBe(
      `${name()} ${await server.hostKey('ed25519')}\n`,
    );
    expect((await stat(knownHostsPath)).mode & 0o777).toBe(0o600);
    expect(log.lines).toEqual([
      {
        event: 'ssh.host_key_trusted',
        fields: {
          host: '127.0.0.1',
          port: server.port,
          fingerprint: fingerprintOf(await server.hostKey('ed25519')),
        },
      },
    ]);
  });

  test('many first meetings at once file the key once', async () => {
    const ssh = createSshCapability({
      keys: undefined,
      hostKeyPolicy: 'first-use',
      knownHostsPath,
      log,
    });

    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => perform(ssh, forServer(server, 'true'))),
    );

    expect(outcomes).toEqual([DONE, DONE, DONE, DONE]);
    expect((await readFile(knownHostsPath, 'utf8')).trim().split('\n')).toHaveLength(1);
  });

  test('a key is added after a last line that lacks its end', async () => {
    await known(`elsewhere ${await other.hostKey('rsa')}`);

    await run('first-use');

    expect((await readFile(knownHostsPath, 'utf8')).split('\n')).toEqual([
      `elsewhere ${await other.hostKey('rsa')}`,
      `${name()} ${await server.hostKey('ed25519')}`,
      '',
    ]);
  });

  test.each(['strict', 'first-use'] as const)(
    'a changed key is refused (%s), naming the host and both fingerprints',
    async (policy) => {
      await known(`${name()} ${await other.hostKey('ed25519')}\n`);

      const outcome = await run(policy);

      if (outcome.ok) throw new Error('accepted');
      expect(outcome.status).toBe('failed');
      expect(outcome.error).toContain(`The host key of ${name()} has changed`);
      expect(outcome.error).toContain(fingerprintOf(await other.hostKey('ed25519')));
      expect(outcome.error).toContain(fingerprintOf(await server.hostKey('ed25519')));
    },
  );

  test('strict refuses a host it does not know and tells the fingerprint to check', async () => {
    const outcome = await run('strict');

    expect(outcome).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(fingerprintOf(await server.hostKey('ed25519'))),
    });
    await expect(stat(knownHostsPath)).rejects.toThrow('ENOENT');
  });

  test.each(['ed25519', 'ecdsa', 'rsa'] as const)(
    'a host known by its %s key alone is asked for that key',
    async (type) => {
      await known(`${name()} ${await server.hostKey(type)}\n`);

      expect(await run('strict')).toEqual(DONE);
    },
  );

  test('a host known by another type of key only is not trusted for offering a new one', async () => {
    const single = await startSshd({ hostKeys: ['ecdsa'] });
    await known(`[127.0.0.1]:${single.port} ${await server.hostKey('ed25519')}\n`);

    const outcome = await perform(
      createSshCapability({ keys: undefined, hostKeyPolicy: 'first-use', knownHostsPath, log }),
      forServer(single, 'true'),
    );
    await single.stop();

    expect(outcome).toMatchObject({ error: expect.stringContaining('has changed') });
  });

  test('names hashed by ssh-keygen are found', async () => {
    await known(`${name()} ${await server.hostKey('ed25519')}\n`);
    await promisify(execFile)('ssh-keygen', ['-H', '-f', knownHostsPath]);

    expect(await readFile(knownHostsPath, 'utf8')).toMatch(/^\|1\|/);
    expect(await run('strict')).toEqual(DONE);
  });

  test('a revoked key is refused even when it is also listed as good', async () => {
    const key = await server.hostKey('ed25519');
    await known(`@revoked * ${key}\n${name()} ${key}\n`);

    expect(await run('first-use')).toMatchObject({ error: expect.stringContaining('is revoked') });
  });

  test('a known hosts file that cannot be used is the fault of the service', async () => {
    knownHostsPath = directory;

    expect(await run('first-use')).toMatchObject({ status: 'server_side_error' });
  });

  test('off accepts everybody and says so in the log', async () => {
    await known(`${name()} ${await other.hostKey('ed25519')}\n`);

    expect(await run('off')).toEqual(DONE);
    expect(log.lines).toEqual([expect.objectContaining({ event: 'ssh.host_key_unchecked' })]);
  });
});
