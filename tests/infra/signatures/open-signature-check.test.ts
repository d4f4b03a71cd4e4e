import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSignatureCheck } from '../../../infra/signatures/open-signature-check.ts';

const directory = mkdtempSync(join(tmpdir(), 'theobroma-trusted-'));
afterAll(() => rmSync(directory, { recursive: true }));

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' });
const keySet = JSON.stringify({ keys: [{ ...jwk, kid: 'release' }] });
const clock = { now: () => Date.parse('2026-06-01T00:00:00Z') };

const open = (policy: 'warn' | 'require', trustedKeys: string | undefined) =>
  openSignatureCheck({ policy, trustedKeys }, clock);

/** Signed by hand: the members below are in canonical order already. */
function aSignedPlaybook() {
  const hash = createHash('sha256')
    .update('{"id":"playbook--1","signatures":[{"algorithm":"Ed25519"}]}')
    .digest('hex');
  const value = sign(null, Buffer.from(hash), privateKey).toString('base64url');
  return { signatures: [{ value, algorithm: 'Ed25519' }], id: 'playbook--1' };
}

test('while signatures are not looked at there is nothing to say', async () => {
  const check = await openSignatureCheck(undefined, clock);

  expect(check({ signatures: [{ value: 'nonsense' }] })).toEqual([]);
});

test('trusted keys may stand in the setting or in a file', async () => {
  const path = join(directory, 'keys.json');
  writeFileSync(path, keySet);

  expect((await open('require', keySet))(aSignedPlaybook())).toEqual([]);
  expect((await open('require', path))(aSignedPlaybook())).toEqual([]);
});

test('without trusted keys nothing is trusted', async () => {
  const check = await open('warn', undefined);

  expect(check(aSignedPlaybook())).toMatchObject([
    { rule: 'signature-untrusted', severity: 'warning' },
  ]);
});

describe('trusted keys that are none stop the start', () => {
  const privateJwk = privateKey.export({ format: 'jwk' });

  test.each([
    ['a file that is not there', join(directory, 'nothing.json'), /cannot be read/],
    ['no JSON', '{', /not JSON/],
    ['no key set', '{"kty":"OKP"}', /not a JSON web key set/],
    ['no keys', '{"keys":[]}', /holds no key/],
    ['something else among them', '{"keys":[7]}', /not a JSON web key set/],
    ['an unknown kind of key', '{"keys":[{"kty":"XYZ"}]}', /key 1 cannot be used/],
    ['a private key', JSON.stringify({ keys: [jwk, privateJwk] }), /key 2 is not public/],
    ['a shared secret', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}', /key 1 is not public/],
  ])('%s', async (_, setting, reason) => {
    await expect(open('require', setting)).rejects.toThrow(reason);
    await expect(open('require', setting)).rejects.toThrow(/PLAYBOOK_TRUSTED_KEYS/);
  });

  test('without telling what they are', async () => {
    const setting = JSON.stringify({ keys: [privateJwk] });

    await expect(open('require', setting)).rejects.not.toThrow(privateJwk.d);
  });
});
