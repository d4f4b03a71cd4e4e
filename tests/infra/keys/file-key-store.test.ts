import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseKeyName } from '../../../core/ports/key-store.ts';
import { FileKeyStore } from '../../../infra/keys/file-key-store.ts';
import { aKey, aKeyName, keyStoreContract } from '../../contracts/key-store.contract.ts';

const clock = { now: () => Date.UTC(2026, 2, 4, 5, 6, 7, 890) };
const web = aKeyName('web');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterEach(() => rm(directory, { recursive: true }));

function aStore(passphrase?: string): FileKeyStore {
  return new FileKeyStore({ directory: join(directory, 'keys'), passphrase, clock });
}

async function mode(file: string): Promise<string> {
  return ((await stat(join(directory, 'keys', file))).mode & 0o777).toString(8);
}

/** A pair as an administrator puts it in place. */
async function putPair(name: string, key = aKey()): Promise<void> {
  await writeFile(join(directory, 'keys', name), key.privateKey, { mode: 0o644 });
  await writeFile(join(directory, 'keys', `${name}.pub`), key.publicKey);
}

describe('keys kept as files', () => {
  keyStoreContract(async () => aStore());
});

describe('the directory of keys', () => {
  test('private files and directories are readable by their owner only', async () => {
    await aStore().add(web, aKey('open sesame'));

    expect(await mode('.')).toBe('700');
    expect(await mode('web')).toBe('600');
    expect(await mode('.passphrases')).toBe('700');
    expect(await mode('.passphrases/web')).toBe('600');
  });

  test('nothing but the keys is left behind after adding, replacing and refusing', async () => {
    const store = aStore();
    await store.add(web, aKey());
    await store.add(web, aKey());
    await store.replace(web, aKey());

    expect((await readdir(join(directory, 'keys'))).sort()).toEqual(['web', 'web.pub']);
  });

  test('keys outlive the process, passphrases included', async () => {
    await aStore().add(web, aKey('open sesame'));

    const later = aStore();

    expect(await later.list()).toEqual(['web']);
    expect((await later.find(web))?.passphrase).toBe('open sesame');
  });

  test('a key that others put in place is seen after a refresh, and made private', async () => {
    const store = aStore();
    await store.list();
    await putPair('from-admin');

    const before = await store.list();
    const refreshed = await store.refresh();

    expect(before).toEqual([]);
    expect(refreshed.loaded).toEqual(['from-admin']);
    expect(await mode('from-admin')).toBe('600');
  });

  test('bad pairs are reported by name and do not keep the good ones out', async () => {
    const store = aStore();
    await store.add(aKeyName('good'), aKey());
    await putPair('mixed', { ...aKey(), publicKey: aKey().publicKey });
    await writeFile(join(directory, 'keys', 'lonely.pub'), aKey().publicKey);
    await writeFile(join(directory, 'keys', 'odd name.pub'), aKey().publicKey);
    await putPair('linked-target');
    await symlink('linked-target', join(directory, 'keys', 'linked'));
    await writeFile(join(directory, 'keys', 'linked.pub'), aKey().publicKey);

    const { loaded, problems } = await store.refresh();

    expect(loaded).toEqual(['good', 'linked-target']);
    expect(problems).toEqual([
      { name: 'linked', reason: 'it is a link' },
      { name: 'lonely', reason: 'the private key file is missing' },
      {
        name: 'mixed',
        reason: 'the private key is not valid: it does not belong to the public key',
      },
      { name: 'odd name', reason: 'it is not a permitted key name' },
    ]);
  });

  test('files that are no keys are never overwritten', async () => {
    const store = aStore();
    await store.list();
    await writeFile(join(directory, 'keys', 'known_hosts'), 'precious');
    await writeFile(join(directory, 'keys', 'half.pub'), 'precious');

    const first = await store.add(aKeyName('known_hosts'), aKey());
    const second = await store.add(aKeyName('half'), aKey());

    expect([first, second]).toEqual([
      { ok: false, code: 'key-exists' },
      { ok: false, code: 'key-exists' },
    ]);
    expect(await readFile(join(directory, 'keys', 'known_hosts'), 'utf8')).toBe('precious');
    expect(await readFile(join(directory, 'keys', 'half.pub'), 'utf8')).toBe('precious');
  });

  test('revoked keys are kept apart with the date, two of one second side by side', async () => {
    const store = aStore();
    await store.add(web, aKey('open sesame'));
    await store.revoke(web);
    await store.add(web, aKey());
    await store.revoke(web);

    expect((await readdir(join(directory, 'keys', '.revoked'))).sort()).toEqual([
      'web.pub.revoked_20260304T050607Z',
      'web.pub.revoked_20260304T050607Z_1',
      'web.revoked_20260304T050607Z',
      'web.revoked_20260304T050607Z_1',
    ]);
    expect(await readdir(join(directory, 'keys', '.passphrases'))).toEqual([]);
    expect(await mode('.revoked')).toBe('700');
  });

  test('revoked keys are not moved through a link to somewhere else', async () => {
    const store = aStore();
    await store.add(web, aKey());
    await symlink(directory, join(directory, 'keys', '.revoked'));

    await expect(store.revoke(web)).rejects.toThrow('is a link');
    expect(await store.find(web)).toBeUndefined();
  });

  test('when the directory cannot be read the keys known before stay in use', async () => {
    const store = aStore();
    await store.add(web, aKey());
    await rm(join(directory, 'keys'), { recursive: true });
    await writeFile(join(directory, 'keys'), 'in the way');

    await expect(store.refresh()).rejects.toMatchObject({ code: 'key-directory-unreadable' });
    expect(await store.list()).toEqual(['web']);
    await expect(aStore().list()).rejects.toMatchObject({ code: 'key-directory-unreadable' });
  });

  test('one passphrase for all opens keys that have none of their own', async () => {
    const { publicKey, privateKey } = aKey('for all');
    const store = aStore('for all');

    const added = await store.add(web, { publicKey, privateKey });

    expect(added).toEqual({ ok: true });
    expect((await store.find(web))?.passphrase).toBe('for all');
    expect(await readdir(join(directory, 'keys'))).not.toContain('.passphrases');
  });

  test('a key larger than 2048 bytes is kept whole', async () => {
    const pair = ssh2.utils.generateKeyPairSync('rsa', { bits: 4096 });

    await aStore().add(web, { publicKey: pair.public, privateKey: pair.private });

    expect((await aStore().find(web))?.pem.trim()).toBe(pair.private.trim());
  });
});

describe('key names', () => {
  test.each(['web', 'web-1.internal', 'A', '0', 'x'.repeat(100), 'web.pub.old'])(
    'the name %s is permitted',
    (text) => {
      expect(parseKeyName(text)).toBe(text);
    },
  );

  test.each([
    '',
    '.',
    '..',
    '.revoked',
    '../web',
    'a/b',
    'a\\b',
    'web.pub',
    'refresh',
    'a b',
    '-o',
    'wéb',
    'x'.repeat(101),
    'web\n',
    'web\0',
  ])('the name %j is refused', (text) => {
    expect(parseKeyName(text)).toBeUndefined();
  });
});
