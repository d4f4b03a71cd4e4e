/**
 * Signing and sealing after an NTLM login with extended session security and 128-bit keys
 * (MS-NLMP 3.4). Each direction has its own keys and counter, so messages must be opened in the order
 * they were sealed in.
 */

import { createHash } from 'node:crypto';
import { hmacMd5 } from './ntlm-v2-response.ts';
import { createRc4 } from './rc4.ts';

export type Sealed = { readonly signature: Buffer; readonly ciphertext: Buffer };

export interface SessionSecurity {
  seal(plaintext: Uint8Array): Sealed;
  /** Undefined when the signature does not fit: the message was altered, repeated or left out. */
  open(sealed: Sealed): Buffer | undefined;
}

export type SessionRole = 'client' | 'server';

export type SessionKeys = {
  readonly exportedSessionKey: Uint8Array;
  /** Whether NTLMSSP_NEGOTIATE_KEY_EXCH was agreed: then checksums are encrypted too. */
  readonly keyExchange: boolean;
};

/** The security of one session as seen by `role`. */
export function createSessionSecurity(role: SessionRole, keys: SessionKeys): SessionSecurity {
  const outgoing = createDirection(role, keys);
  const incoming = createDirection(role === 'client' ? 'server' : 'client', keys);
  return {
    seal(plaintext) {
      const ciphertext = outgoing.crypt(plaintext);
      return { signature: outgoing.sign(plaintext), ciphertext };
    },
    open({ signature, ciphertext }) {
      const plaintext = incoming.crypt(ciphertext);
      return incoming.sign(plaintext).equals(signature) ? plaintext : undefined;
    },
  };
}

function createDirection(sender: SessionRole, { exportedSessionKey, keyExchange }: SessionKeys) {
  const path = sender === 'client' ? 'client-to-server' : 'server-to-client';
  const derive = (use: string) =>
    createHash('md5')
      .update(exportedSessionKey)
      .update(`session key to ${path} ${use} key magic constant\0`, 'ascii')
      .digest();
  const signingKey = derive('signing');
  const crypt = createRc4(derive('sealing'));
  let sequence = 0;
  return {
    crypt,
    /** Must follow `crypt` of the same message: both draw from one key stream. */
    sign(plaintext: Uint8Array): Buffer {
      const signature = Buffer.alloc(16);
      signature.writeUInt32LE(1, 0);
      signature.writeUInt32LE(sequence, 12);
      const checksum = hmacMd5(signingKey, signature.subarray(12), plaintext).subarray(0, 8);
      signature.set(keyExchange ? crypt(checksum) : checksum, 4);
      sequence += 1;
      return signature;
    },
  };
}
