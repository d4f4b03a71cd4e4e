/**
 * The NTLMv2 proof that the caller knows the password (MS-NLMP 3.3.2): keyed hashes over the server's
 * challenge, the client's challenge, the time and the target information. NTLMv1 is not offered.
 */

import { createHmac } from 'node:crypto';
import { md4 } from './md4.ts';

export type NtlmIdentity = {
  readonly user: string;
  /** Empty for a local account or when `user` is a principal name such as user@example.org. */
  readonly domain: string;
};

export type ProofInput = {
  readonly serverChallenge: Uint8Array;
  /** 8 random bytes. */
  readonly clientChallenge: Uint8Array;
  /** Windows file time: 100 ns units since 1601, little endian, 8 bytes. */
  readonly fileTime: Uint8Array;
  /** The target information as it will be sent, end marker included. */
  readonly targetInfo: Uint8Array;
};

export type Proof = {
  readonly ntResponse: Buffer;
  readonly lmResponse: Buffer;
  readonly sessionBaseKey: Buffer;
};

/** The key derived from the password, NTOWFv2 in MS-NLMP. */
export function responseKey(identity: NtlmIdentity, password: string): Buffer {
  const account = `${identity.user.toUpperCase()}${identity.domain}`;
  return hmacMd5(md4(Buffer.from(password, 'utf16le')), Buffer.from(account, 'utf16le'));
}

/** Computes both response fields and the session base key. */
export function proveV2(key: Uint8Array, input: ProofInput): Proof {
  const { serverChallenge, clientChallenge, fileTime, targetInfo } = input;
  const versions = Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]);
  const gap = Buffer.alloc(4);
  const blob = Buffer.concat([versions, fileTime, clientChallenge, gap, targetInfo, gap]);
  const proof = hmacMd5(key, serverChallenge, blob);
  return {
    ntResponse: Buffer.concat([proof, blob]),
    lmResponse: Buffer.concat([hmacMd5(key, serverChallenge, clientChallenge), clientChallenge]),
    sessionBaseKey: hmacMd5(key, proof),
  };
}

/** HMAC-MD5 over the parts, one after the other. */
export function hmacMd5(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac('md5', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
