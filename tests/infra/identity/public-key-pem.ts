import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';

/** The text an attacker who confuses algorithms would use as a shared secret. */
export function publicKeyPem(jwk: JWK): string {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return key.export({ format: 'pem', type: 'spki' }).toString();
}
