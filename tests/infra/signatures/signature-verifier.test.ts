/** Signatures made with the Web Cryptography API, another way into cryptography than the one they are verified with. */

import { createHash, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { createSignatureVerifier } from '../../../infra/signatures/signature-verifier.ts';

const form = '{"id":"playbook--1"}';
const { subtle } = webcrypto;

type Recipe = {
  readonly make: webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams | { name: 'Ed25519' };
  readonly sign: webcrypto.AlgorithmIdentifier | webcrypto.RsaPssParams | webcrypto.EcdsaParams;
};

const rsa = (name: string, bits: number, saltLength = bits / 8, modulusLength = 2048): Recipe => ({
  make: {
    name,
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: `SHA-${bits}`,
  },
  sign: { name, saltLength },
});
const ecdsa = (namedCurve: string, bits: number): Recipe => ({
  make: { name: 'ECDSA', namedCurve },
  sign: { name: 'ECDSA', hash: `SHA-${bits}` },
});
const edwards: Recipe = { make: { name: 'Ed25519' }, sign: { name: 'Ed25519' } };

type Made = { readonly key: KeyObject; readonly sign: (message: Buffer) => Promise<string> };

async function keyFor({ make, sign }: Recipe): Promise<Made> {
  const pair = (await subtle.generateKey(make, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const jwk = await subtle.exportKey('jwk', pair.publicKey);
  return {
    key: createPublicKey({ key: { ...jwk }, format: 'jwk' }),
    sign: async (message) =>
      Buffer.from(await subtle.sign(sign, pair.privateKey, message)).toString('base64url'),
  };
}

const hexHash = (hash = 'sha256') => Buffer.from(createHash(hash).update(form).digest('hex'));
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64');

describe.each<[string, Recipe]>([
  ['RS256', rsa('RSASSA-PKCS1-v1_5', 256)],
  ['RS384', rsa('RSASSA-PKCS1-v1_5', 384)],
  ['RS512', rsa('RSASSA-PKCS1-v1_5', 512)],
  ['PS256', rsa('RSA-PSS', 256)],
  ['PS384', rsa('RSA-PSS', 384)],
  ['PS512', rsa('RSA-PSS', 512)],
  ['ES256', ecdsa('P-256', 256)],
  ['ES384', ecdsa('P-384', 384)],
  ['ES512', ecdsa('P-521', 512)],
  ['Ed25519', edwards],
  ['EdDSA', edwards],
])('%s', (algorithm, recipe) => {
  test('is verified with the trusted key, and with no other', async () => {
    const [mine, other] = [await keyFor(recipe), await keyFor(recipe)];
    const signature = { algorithm, value: await mine.sign(hexHash()) };

    expect(createSignatureVerifier([other.key, mine.key])(signature, form)).toBe('trusted');
    expect(createSignatureVerifier([other.key])(signature, form)).toBe('unknown');
    expect(createSignatureVerifier([mine.key])(signature, `${form} `)).toBe('unknown');
  });

  test('is told wrong by the key it brings along, which is not trusted for that', async () => {
    const { key, sign } = await keyFor(recipe);
    const signature = { algorithm, value: await sign(hexHash()), public_key: spki(key) };
    const verify = createSignatureVerifier([]);

    expect(verify(signature, form)).toBe('unknown');
    expect(verify(signature, `${form} `)).toBe('wrong');
  });
});

test.each([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
  ['sha3-256', 'sha3-256'],
  ['sha3-512', 'sha3-512'],
])('the document may be hashed with %s', async (hash_algorithm, hash) => {
  const { key, sign } = await keyFor(edwards);
  const signature = { algorithm: 'Ed25519', hash_algorithm, value: await sign(hexHash(hash)) };

  expect(createSignatureVerifier([key])(signature, form)).toBe('trusted');
});

test('the bytes of the hash may be signed instead of its digits; the document itself may not', async () => {
  const { key, sign } = await keyFor(edwards);
  const bytes = createHash('sha256').update(form).digest();
  const verify = createSignatureVerifier([key]);

  expect(verify({ algorithm: 'Ed25519', value: await sign(bytes) }, form)).toBe('trusted');
  expect(verify({ algorithm: 'Ed25519', value: await sign(Buffer.from(form)) }, form)).toBe(
    'unknown',
  );
});

describe('what is not accepted', () => {
  test.each<[string, JsonObject]>([
    ['no algorithm', { value: 'AAAA' }],
    ['none', { algorithm: 'none', value: 'AAAA' }],
    ['a shared secret', { algorithm: 'HS256', value: 'AAAA' }],
    ['another case', { algorithm: 'rs256', value: 'AAAA' }],
    ['a broken hash', { algorithm: 'RS256', hash_algorithm: 'md5', value: 'AAAA' }],
    ['no value', { algorithm: 'RS256' }],
    ['an empty value', { algorithm: 'RS256', value: '' }],
    ['a value that is no base64url', { algorithm: 'RS256', value: 'some signature' }],
  ])('%s', async (_, signature) => {
    const { key } = await keyFor(rsa('RSASSA-PKCS1-v1_5', 256));

    expect(createSignatureVerifier([key])(signature, form)).toBe('unsupported');
  });

  test('a weak key, also when it is trusted', async () => {
    const { key, sign } = await keyFor(rsa('RSASSA-PKCS1-v1_5', 256, 32, 1024));
    const signature = { algorithm: 'RS256', value: await sign(hexHash()) };

    expect(createSignatureVerifier([key])(signature, form)).toBe('unknown');
  });

  test('a key of another kind than the algorithm', async () => {
    const p256 = await keyFor(ecdsa('P-256', 256));
    const signature = { algorithm: 'ES384', value: await p256.sign(hexHash()) };

    expect(createSignatureVerifier([p256.key])(signature, form)).toBe('unknown');
  });

  test.each(['A', 'AAAA', 'A'.repeat(86), 'A'.repeat(5000)])(
    'values of any length do not break the check',
    async (value) => {
      for (const recipe of [ecdsa('P-256', 256), edwards, rsa('RSA-PSS', 256)]) {
        const { key } = await keyFor(recipe);
        const verify = createSignatureVerifier([key]);
        for (const algorithm of ['ES256', 'Ed25519', 'PS256', 'RS256']) {
          expect(verify({ algorithm, value }, form)).toBe('unknown');
        }
      }
    },
  );

  test.each([{ public_key: '!' }, { public_cert_chain: ['!'] }, { public_cert_chain: 7 }])(
    'a key of its own that is none: %j',
    (own) => {
      const verify = createSignatureVerifier([]);

      expect(verify({ algorithm: 'RS256', value: 'AAAA', ...own }, form)).toBe('unknown');
    },
  );
});
