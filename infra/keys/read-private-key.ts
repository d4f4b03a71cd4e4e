/**
 * Reads the private keys people have: OpenSSH's own form, PEM (PKCS#1, SEC 1) and PKCS#8, which the
 * ssh library does not know. Reasons never contain any part of the key.
 */

import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ParsedKey } from 'ssh2';
import { ed25519ToOpenSsh } from './ed25519-to-openssh.ts';

export type PrivateKeyReading =
  | { readonly ok: true; readonly key: ParsedKey; readonly encrypted: boolean }
  | { readonly ok: false; readonly reason: string };

/** `passphrase` is used only when the key is encrypted. Opening one may take 200 ms of computing. */
export async function readPrivateKey(
  pem: string,
  passphrase: string | undefined,
): Promise<PrivateKeyReading> {
  const text = pem.trim();
  const encrypted = isEncrypted(text);
  if (encrypted && passphrase === undefined) return refuse('it is encrypted and has no passphrase');

  // Loaded on first use: it takes as long as the rest of a cold start.
  const { utils } = (await import('ssh2')).default;
  const secret = encrypted ? passphrase : undefined;
  const known = isPkcs8(text) ? fromPkcs8(text, secret) : text;
  const parsed = known === undefined ? undefined : utils.parseKey(known, secret);
  if (parsed === undefined || parsed instanceof Error) {
    return refuse(encrypted ? 'the passphrase does not open it' : 'it is not a supported key');
  }
  return parsed.isPrivateKey()
    ? { ok: true, key: parsed, encrypted }
    : refuse('it is a public key');
}

function refuse(reason: string): PrivateKeyReading {
  return { ok: false, reason };
}

const pkcs8Header = /^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----/;
const openSshBody = /^-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+)-----END/;
const pemEncryption = /^Proc-Type: *4,ENCRYPTED/m;
const openSshMagic = Buffer.from('openssh-key-v1\0');
const noCipher = Buffer.from('\0\0\0\x04none');

function isPkcs8(text: string): boolean {
  return pkcs8Header.test(text);
}

function isEncrypted(text: string): boolean {
  const body = openSshBody.exec(text)?.[1];
  if (body === undefined) {
    return text.startsWith('-----BEGIN ENCRYPTED') || pemEncryption.test(text);
  }
  // OpenSSH PROTOCOL.key: the magic is followed by the cipher's name.
  const blob = Buffer.from(body, 'base64');
  return !blob.subarray(openSshMagic.length).subarray(0, noCipher.length).equals(noCipher);
}

/** The key in a form the ssh library reads, decrypted; undefined when that cannot be made. */
function fromPkcs8(pem: string, passphrase: string | undefined): string | undefined {
  try {
    const key = createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase });
    return toKnownForm(key);
  } catch {
    // Malformed, or a wrong passphrase; the caller says which of the two.
    return undefined;
  }
}

function toKnownForm(key: KeyObject): string | undefined {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return key.export({ type: 'pkcs1', format: 'pem' }).toString();
    case 'ec':
      return key.export({ type: 'sec1', format: 'pem' }).toString();
    case 'ed25519':
      return ed25519ToOpenSsh(key);
    default:
      return undefined;
  }
}
