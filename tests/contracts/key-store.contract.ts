/** What every KeyStore promises. An adapter's test calls this with a way to make an empty store. */

import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import {
  type KeyName,
  type KeyStore,
  type NewKey,
  parseKeyName,
} from '../../core/ports/key-store.ts';

export function aKeyName(text: string): KeyName {
  const name = parseKeyName(text);
  if (name === undefined) throw new Error(`${text} is no key name`);
  return name;
}

/** A new ed25519 key, encrypted when there is a passphrase. */
export function aKey(passphrase?: string): NewKey {
  const pair =
    passphrase === undefined
      ? ssh2.utils.generateKeyPairSync('ed25519')
      : ssh2.utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-cbc', rounds: 1 });
  // The generator loses a leading zero byte, one time in 256: such a key is no key.
  if (ssh2.utils.parseKey(pair.public) instanceof Error) return aKey(passphrase);
  return {
    publicKey: pair.public,
    privateKey: pair.private,
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

export function keyStoreContract(create: () => Promise<KeyStore>): void {
  const web = aKeyName('web');
  const db = aKeyName('db');

  test('an added key is listed and can be used', async () => {
    const store = await create();
    const key = aKey();

    const added = await store.add(web, key);
    await store.add(db, aKey());

    expect(added).toEqual({ ok: true });
    expect(await store.list()).toEqual(['db', 'web']);
    expect((await store.find(web))?.pem.trim()).toBe(key.privateKey.trim());
  });

  test('an encrypted key is handed out with its passphrase, a plain one without', async () => {
    const store = await create();
    await store.add(web, aKey('open sesame'));
    await store.add(db, { ...aKey(), passphrase: 'not needed' });

    expect((await store.find(web))?.passphrase).toBe('open sesame');
    expect(await store.find(db)).not.toHaveProperty('passphrase');
  });

  test('a taken name is refused and the first key stays', async () => {
    const store = await create();
    const first = aKey();
    await store.add(web, first);

    const again = await store.add(web, aKey());

    expect(again).toEqual({ ok: false, code: 'key-exists' });
    expect((await store.find(web))?.pem.trim()).toBe(first.privateKey.trim());
  });

  test('of many who add the same name at once exactly one succeeds', async () => {
    const store = await create();

    const answers = await Promise.all(Array.from({ length: 8 }, () => store.add(web, aKey())));

    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(await store.list()).toEqual(['web']);
  });

  test('a private key that does not belong to the public one is refused', async () => {
    const store = await create();

    const answer = await store.add(web, { ...aKey(), publicKey: aKey().publicKey });

    expect(answer).toEqual({
      ok: false,
      code: 'key-invalid',
      part: 'private',
      reason: 'it does not belong to the public key',
    });
    expect(await store.list()).toEqual([]);
  });

  test('texts that are no keys are refused, naming the half that is wrong', async () => {
    const store = await create();
    const key = aKey();

    const publicWrong = await store.add(web, { ...key, publicKey: 'hello' });
    const privateWrong = await store.add(web, { ...key, privateKey: 'hello' });
    const swapped = await store.add(web, { ...key, publicKey: key.privateKey });

    expect(publicWrong).toMatchObject({ code: 'key-invalid', part: 'public' });
    expect(privateWrong).toMatchObject({ code: 'key-invalid', part: 'private' });
    expect(swapped).toMatchObject({ part: 'public', reason: 'it is a private key' });
  });

  test('an encrypted key needs the right passphrase', async () => {
    const store = await create();
    const { publicKey, privateKey } = aKey('open sesame');

    const without = await store.add(web, { publicKey, privateKey });
    const wrong = await store.add(web, { publicKey, privateKey, passphrase: 'guess' });

    expect(without).toMatchObject({ reason: 'it is encrypted and has no passphrase' });
    expect(wrong).toMatchObject({ reason: 'the passphrase does not open it' });
  });

  test('a replaced key is the new one', async () => {
    const store = await create();
    const next = aKey();
    await store.add(web, aKey('old secret'));

    const answer = await store.replace(web, next);

    expect(answer).toEqual({ ok: true });
    expect((await store.find(web))?.pem.trim()).toBe(next.privateKey.trim());
    expect(await store.find(web)).not.toHaveProperty('passphrase');
  });

  test('replacing needs a known name and a valid key, otherwise the old key stays', async () => {
    const store = await create();
    const first = aKey();
    await store.add(web, first);

    const unknown = await store.replace(db, aKey());
    const invalid = await store.replace(web, { ...aKey(), privateKey: 'hello' });

    expect(unknown).toEqual({ ok: false, code: 'key-missing' });
    expect(invalid).toMatchObject({ code: 'key-invalid' });
    expect((await store.find(web))?.pem.trim()).toBe(first.privateKey.trim());
    expect(await store.list()).toEqual(['web']);
  });

  test('a revoked key is gone and its name free again', async () => {
    const store = await create();
    await store.add(web, aKey());

    const revoked = await store.revoke(web);
    const found = await store.find(web);
    const again = await store.add(web, aKey());

    expect(revoked).toEqual({ ok: true });
    expect(found).toBeUndefined();
    expect(again).toEqual({ ok: true });
  });

  test('revoking an unknown key is refused', async () => {
    const store = await create();

    expect(await store.revoke(web)).toEqual({ ok: false, code: 'key-missing' });
  });

  test('a refresh keeps the keys, their passphrases, and the objects handed out before', async () => {
    const store = await create();
    await store.add(web, aKey('open sesame'));
    await store.add(db, aKey());
    const before = await store.find(web);

    const answer = await store.refresh();

    expect(answer).toEqual({ loaded: ['db', 'web'], problems: [] });
    expect(await store.find(web)).toBe(before);
  });
}
