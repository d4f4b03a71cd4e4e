/**
 * The multipart form in which sealed messages travel over plain HTTP (MS-WSMV 2.2.9.1.1): a description
 * of the original, then signature and ciphertext.
 */

import type { SessionSecurity } from '../ntlm/session-security.ts';

const PROTOCOL = 'application/HTTP-SPNEGO-session-encrypted';
const BOUNDARY = '--Encrypted Boundary';
const END = Buffer.from(`${BOUNDARY}--`, 'latin1');
const OCTETS = 'Content-Type: application/octet-stream\r\n';

export const SEALED_CONTENT_TYPE = `multipart/encrypted;protocol="${PROTOCOL}";boundary="Encrypted Boundary"`;

export function isSealed(contentType: string): boolean {
  return contentType.toLowerCase().startsWith('multipart/encrypted');
}

export function sealBody(security: SessionSecurity, plaintext: Buffer): Buffer {
  const { signature, ciphertext } = security.seal(plaintext);
  const signatureSize = Buffer.alloc(4);
  signatureSize.writeUInt32LE(signature.length, 0);
  const head =
    `${BOUNDARY}\r\n\tContent-Type: ${PROTOCOL}\r\n` +
    `\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${plaintext.length}\r\n` +
    `${BOUNDARY}\r\n\t${OCTETS}`;
  const tail = Buffer.from(`${BOUNDARY}--\r\n`, 'latin1');
  return Buffer.concat([Buffer.from(head, 'latin1'), signatureSize, signature, ciphertext, tail]);
}

/** Undefined when the form is not as described or the signature does not fit. */
export function openBody(security: SessionSecurity, body: Buffer): Buffer | undefined {
  const marker = body.indexOf(OCTETS);
  const end = body.lastIndexOf(END);
  if (marker === -1 || end < marker) return undefined;
  const length = /;\s*Length=(\d{1,9})/i.exec(body.toString('latin1', 0, marker))?.[1];
  const payload = body.subarray(marker + OCTETS.length, end);
  if (length === undefined || payload.length < 4) return undefined;
  const signatureSize = payload.readUInt32LE(0);
  if (signatureSize !== 16 || payload.length !== 4 + signatureSize + Number(length))
    return undefined;
  const signature = payload.subarray(4, 4 + signatureSize);
  return security.open({ signature, ciphertext: payload.subarray(4 + signatureSize) });
}
