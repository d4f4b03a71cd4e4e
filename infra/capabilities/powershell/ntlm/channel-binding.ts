/**
 * Ties an NTLM login to the TLS connection it travels in (RFC 5929, tls-server-end-point), so that a
 * relayed login is worthless. Servers set to strict hardening refuse logins without it.
 */

import { createHash } from 'node:crypto';

/** Signature algorithms by the end of their DER object id; MD5 and SHA-1 are answered with SHA-256. */
const digestBySignature: readonly { readonly oid: Buffer; readonly digest: string }[] = [
  { oid: Buffer.from('2a864886f70d01010b', 'hex'), digest: 'sha256' },
  { oid: Buffer.from('2a864886f70d01010c', 'hex'), digest: 'sha384' },
  { oid: Buffer.from('2a864886f70d01010d', 'hex'), digest: 'sha512' },
  { oid: Buffer.from('2a864886f70d010105', 'hex'), digest: 'sha256' },
  { oid: Buffer.from('2a864886f70d010104', 'hex'), digest: 'sha256' },
  { oid: Buffer.from('2a8648ce3d040302', 'hex'), digest: 'sha256' },
  { oid: Buffer.from('2a8648ce3d040303', 'hex'), digest: 'sha384' },
  { oid: Buffer.from('2a8648ce3d040304', 'hex'), digest: 'sha512' },
];

/** The value of the channel-bindings attribute; undefined when the certificate's signature is unknown. */
export function channelBindingOf(certificateDer: Uint8Array): Buffer | undefined {
  const digest = signatureDigest(Buffer.from(certificateDer));
  if (digest === undefined) return undefined;
  const endPoint = Buffer.concat([
    Buffer.from('tls-server-end-point:', 'ascii'),
    createHash(digest).update(certificateDer).digest(),
  ]);
  // gss_channel_bindings_struct without addresses: four empty fields, then length and data.
  const struct = Buffer.alloc(20);
  struct.writeUInt32LE(endPoint.length, 16);
  return createHash('md5').update(struct).update(endPoint).digest();
}

function signatureDigest(certificate: Buffer): string | undefined {
  let offset = enter(certificate, 0);
  if (offset === undefined) return undefined;
  offset = skip(certificate, offset);
  if (offset === undefined) return undefined;
  offset = enter(certificate, offset);
  if (offset === undefined || certificate[offset] !== 0x06) return undefined;
  const length = certificate[offset + 1] ?? 0;
  const oid = certificate.subarray(offset + 2, offset + 2 + length);
  return digestBySignature.find((known) => known.oid.equals(oid))?.digest;
}

/** Offset of the content of the DER sequence at `offset`. */
function enter(der: Buffer, offset: number): number | undefined {
  return der[offset] === 0x30 ? measure(der, offset)?.start : undefined;
}

function skip(der: Buffer, offset: number): number | undefined {
  return measure(der, offset)?.end;
}

function measure(der: Buffer, offset: number): { start: number; end: number } | undefined {
  const first = der[offset + 1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: offset + 2, end: offset + 2 + first };
  const octets = first & 0x7f;
  const start = offset + 2 + octets;
  if (octets < 1 || octets > 4 || start > der.length) return undefined;
  return { start, end: start + der.readUIntBE(offset + 2, octets) };
}
