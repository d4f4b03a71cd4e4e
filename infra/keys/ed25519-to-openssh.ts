/** Writes an ed25519 key in OpenSSH's form (OpenSSH PROTOCOL.key), the only one the ssh library reads. */

import type { KeyObject } from 'node:crypto';

const blockBytes = 8;

/** Unencrypted: for use in memory only. Answers undefined for a key without its ed25519 parts. */
export function ed25519ToOpenSsh(key: KeyObject): string | undefined {
  const { d, x } = key.export({ format: 'jwk' });
  if (d === undefined || x === undefined) return undefined;
  const publicPart = Buffer.from(x, 'base64url');
  const type = field('ssh-ed25519');
  const publicKey = Buffer.concat([type, field(publicPart)]);
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), publicPart]);
  // Two equal check numbers tell a reader that decryption worked; nothing is encrypted here.
  const list = Buffer.concat([uint32(0), uint32(0), publicKey, field(secret), field('')]);
  const blob = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(field),
    uint32(1),
    field(publicKey),
    field(padded(list)),
  ]);
  const lines = blob.toString('base64').replace(/.{70}/g, '$&\n');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function padded(list: Buffer): Buffer {
  const missing = (blockBytes - (list.length % blockBytes)) % blockBytes;
  return Buffer.concat([list, Buffer.from(Array.from({ length: missing }, (_, at) => at + 1))]);
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
