import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuthenticationInfo } from '../../../../core/cacao/model.ts';
import type { Capability } from '../../../../core/ports/capability.ts';
import type { KeyStore, NewKey } from '../../../../core/ports/key-store.ts';
import { createSshCapability } from '../../../../infra/capabilities/ssh/ssh-capability.ts';
import { FileKeyStore } from '../../../../infra/keys/file-key-store.ts';
import { aKey, aKeyName } from '../../../contracts/key-store.contract.ts';
import { type Sshd, skipSshd, startSshd } from '../../../peers/sshd/start-sshd.ts';
import { anInvocation, forServer, perform, recordingLog } from './ssh-fixture.ts';

const DONE = { ok: true, values: { __svc_ssh_result__: 'in\n' } };

function ofType(type: 'rsa' | 'ecdsa', bits: 256 | 4096): NewKey {
  const pair = ssh2.utils.generateKeyPairSync(type, { bits });
  return { publicKey: pair.public, privateKey: pair.private };
}

let directory: string;
let keys: KeyStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ssh-'));
  keys = new FileKeyStore({ directory: join(directory, 'keys'), clock: { now: Date.now } });
});
afterEach(() => rm(directory, { recursive: true }));

function aCapability(kept: KeyStore | undefined = keys): Capability {
  const knownHostsPath = join(directory, 'known_hosts');
  return createSshCapability({
    keys: kept,
    hostKeyPolicy: 'off',
    knownHostsPath,
    log: recordingLog(),
  });
}

describe.skipIf(skipSshd)('logging in at a real OpenSSH server', () => {
  let server: Sshd;
  let interactive: Sshd;

  beforeAll(async () => {
    server = await startSshd({ hostKeys: ['ed25519'] });
    interactive = await startSshd({
      hostKeys: ['ed25519'],
      settings: ['PasswordAuthentication no', 'KbdInteractiveAuthentication yes'],
    });
  });
  afterAll(() => Promise.all([server?.stop(), interactive?.stop()]));

  test('a server that asks for the password interactively gets it', async () => {
    expect(await perform(aCapability(), forServer(interactive, 'echo in'))).toEqual(DONE);
  });

  test.each(['password', 'interactive'])(
    'a wrong password (%s) is told without repeating it, and tried only once',
    async (method) => {
      const peer = method === 'password' ? server : interactive;
      const startedMs = performance.now();

      const outcome = await perform(
        aCapability(),
        forServer(peer, 'echo in', { authentication: { password: 'hunter2-wrong' } }),
      );

      expect(outcome).toEqual({
        ok: false,
        status: 'failed',
        error: `Cannot log in at 127.0.0.1:${peer.port}: the server refused the user name or password.`,
      });
      // A refusal costs about two seconds; another one would take as long again.
      expect(performance.now() - startedMs).toBeLessThan(8_000);
    },
  );

  test('a server without password login says what it accepts', async () => {
    const strict = await startSshd({
      hostKeys: ['ed25519'],
      settings: ['PasswordAuthentication no'],
    });

    const outcome = await perform(aCapability(), forServer(strict, 'echo in'));
    await strict.stop();

    expect(outcome).toMatchObject({
      error: `Cannot log in at 127.0.0.1:${strict.port}: the server accepts no password, only: publickey.`,
    });
  });

  test.each([
    ['an RSA key of 4096 bits', () => ofType('rsa', 4096)],
    ['an ECDSA key', () => ofType('ecdsa', 256)],
    ['an ed25519 key', () => aKey()],
    ['an encrypted key', () => aKey('open sesame')],
  ])('%s kept by the service opens the door', async (_, create) => {
    const key = create();
    await server.authorize(`${key.publicKey}\n`);
    await keys.add(aKeyName('door'), key);

    const authentication = { kms: true, kms_key_identifier: 'door', password: '' };
    const outcome = await perform(aCapability(), forServer(server, 'echo in', { authentication }));

    expect(outcome).toEqual(DONE);
  });

  test('a private key in the playbook opens the door, encrypted or not', async () => {
    const plain = aKey();
    const locked = aKey('open sesame');
    await server.authorize(`${plain.publicKey}\n${locked.publicKey}\n`);
    const login = (info: Partial<AuthenticationInfo>) =>
      perform(
        aCapability(),
        forServer(server, 'echo in', { authentication: { type: 'private-key', ...info } }),
      );

    expect(await login({ private_key: plain.privateKey })).toEqual(DONE);
    expect(await login({ private_key: locked.privateKey, passphrase: 'open sesame' })).toEqual(
      DONE,
    );
  });

  test('with kms the password is not even tried, although it would work', async () => {
    await keys.add(aKeyName('stranger'), aKey());
    const authentication = { kms: true, kms_key_identifier: 'stranger' };

    const outcome = await perform(aCapability(), forServer(server, 'echo in', { authentication }));

    expect(outcome).toMatchObject({
      status: 'failed',
      error: `Cannot log in at 127.0.0.1:${server.port}: the server refused the user name or key.`,
    });
  });

  test('a revoked key opens nothing any more', async () => {
    const key = aKey();
    await server.authorize(`${key.publicKey}\n`);
    await keys.add(aKeyName('door'), key);
    const invocation = forServer(server, 'echo in', {
      authentication: { kms: true, kms_key_identifier: 'door' },
    });
    const before = await perform(aCapability(), invocation);

    await keys.revoke(aKeyName('door'));

    expect(before).toEqual(DONE);
    expect(await perform(aCapability(), invocation)).toMatchObject({
      status: 'client_side_error',
      error: 'The key door is not available.',
    });
  });
});

describe('logins that cannot be tried', () => {
  test.each<[string, Partial<AuthenticationInfo>, string]>([
    ['a blank user name', { username: ' ' }, 'The user name is empty.'],
    ['a blank password', { password: '' }, 'The password is empty.'],
    ['a blank private key', { type: 'private-key', private_key: '' }, 'The private key is empty.'],
    [
      'a malformed private key',
      { type: 'private-key', private_key: 'hunter2' },
      'The private key is not usable: it is not a supported key.',
    ],
    [
      'a private key without its passphrase',
      { type: 'private-key', private_key: aKey('secret').privateKey },
      'The private key is not usable: it is encrypted and has no passphrase.',
    ],
    ['another type', { type: 'oauth2' }, 'The authentication type oauth2 is not supported by ssh.'],
    ['kms without a key name', { kms: true }, 'The kms_key_identifier is empty.'],
    [
      'kms with an unknown key',
      { kms: true, kms_key_identifier: 'unknown' },
      'The key unknown is not available.',
    ],
    [
      'kms with a path',
      { kms: true, kms_key_identifier: '../../etc/shadow' },
      'The key ../../etc/shadow is not available.',
    ],
  ])('%s is the fault of the playbook', async (_, authentication, error) => {
    const outcome = await perform(aCapability(), anInvocation('true', { authentication }));

    expect(outcome).toEqual({ ok: false, status: 'client_side_error', error });
  });

  test('no authentication at all is the fault of the playbook', async () => {
    const { authentication: _, ...invocation } = anInvocation('true');

    expect(await perform(aCapability(), invocation)).toMatchObject({
      status: 'client_side_error',
      error: 'The target has no authentication information, which ssh needs.',
    });
  });

  test('kms while key management is off says how to turn it on', async () => {
    const knownHostsPath = join(directory, 'known_hosts');
    const off = createSshCapability({
      keys: undefined,
      hostKeyPolicy: 'off',
      knownHostsPath,
      log: recordingLog(),
    });
    const authentication = { kms: true, kms_key_identifier: 'door' };

    const outcome = await perform(off, anInvocation('true', { authentication }));

    expect(outcome).toMatchObject({
      status: 'client_side_error',
      error: expect.stringContaining('ENABLE_SSH_KMS'),
    });
  });

  test('keys that cannot be reached are the fault of the service', async () => {
    await writeFile(join(directory, 'file'), '');
    const unreachable = new FileKeyStore({
      directory: join(directory, 'file', 'keys'),
      clock: { now: Date.now },
    });
    const authentication = { kms: true, kms_key_identifier: 'door' };

    const outcome = await perform(
      aCapability(unreachable),
      anInvocation('true', { authentication }),
    );

    expect(outcome).toMatchObject({ status: 'server_side_error' });
  });
});
