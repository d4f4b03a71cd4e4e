import { generateKeyPairSync } from 'node:crypto';
import ssh2 from 'ssh2';
import { describe, expect, test } from 'vitest';
import { readPrivateKey } from '../../../infra/keys/read-private-key.ts';

const encryption = { cipher: 'aes-256-cbc', passphrase: 'open sesame' };

function pkcs8(
  type: 'rsa' | 'ec' | 'ed25519',
  secret = {},
): { pem: string; jwk: string | undefined } {
  const options = { modulusLength: 2048, namedCurve: 'P-256' };
  const pair =
    type === 'ed25519'
      ? generateKeyPairSync(type)
      : type === 'ec'
        ? generateKeyPairSync(type, options)
        : generateKeyPairSync(type, options);
  return {
    pem: pair.privateKey.export({ type: 'pkcs8', format: 'pem', ...secret }).toString(),
    jwk: pair.publicKey.export({ format: 'jwk' }).x,
  };
}

describe('reading private keys', () => {
  test.each(['rsa', 'ec', 'ed25519'] as const)('a PKCS#8 %s key is usable', async (type) => {
    const reading = await readPrivateKey(pkcs8(type).pem, undefined);

    expect(reading).toMatchObject({ ok: true, encrypted: false });
  });

  test.each(['rsa', 'ec', 'ed25519'] as const)(
    'an encrypted PKCS#8 %s key is usable with its passphrase only',
    async (type) => {
      const { pem } = pkcs8(type, encryption);

      expect(await readPrivateKey(pem, 'open sesame')).toMatchObject({ ok: true, encrypted: true });
      expect(await readPrivateKey(pem, 'guess')).toEqual({
        ok: false,
        reason: 'the passphrase does not open it',
      });
      expect(await readPrivateKey(pem, undefined)).toEqual({
        ok: false,
        reason: 'it is encrypted and has no passphrase',
      });
    },
  );

  test('a converted ed25519 key keeps its public half and signs', async () => {
    const { pem, jwk } = pkcs8('ed25519');

    const reading = await readPrivateKey(pem, undefined);

    if (!reading.ok) throw new Error(reading.reason);
    expect(reading.key.getPublicSSH().subarray(-32).toString('base64url')).toBe(jwk);
    const signature = reading.key.sign('message');
    expect(reading.key.verify('message', signature)).toBe(true);
  });

  test('line ends of other systems and surrounding blanks do no harm', async () => {
    const { private: pem } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 384 });

    const reading = await readPrivateKey(`\n  ${pem.replaceAll('\n', '\r\n')}\r\n`, undefined);

    expect(reading).toMatchObject({ ok: true });
  });

  test('a reason never repeats the text that was given', async () => {
    const reading = await readPrivateKey(
      '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END',
      undefined,
    );

    expect(reading).toEqual({ ok: false, reason: 'it is not a supported key' });
  });
});
