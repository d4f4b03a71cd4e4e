/** From a token to its claims: the signature is verified, the claims are not looked at. */

import { type CompactJWSHeaderParameters, compactVerify, errors } from 'jose';
import type { Claims } from '../../core/access/claims.ts';
import { tokenInvalid } from '../../core/access/refuse-token.ts';
import { Refusal } from '../../core/errors/refusal.ts';
import { isJsonObject } from '../../core/json.ts';
import type { ProviderKeys } from './provider-keys.ts';

/** Refuses with `token-invalid` or `identity-provider-away`. */
export async function verifySignature(
  token: string,
  keys: ProviderKeys,
  algorithms: readonly string[],
): Promise<Claims> {
  const options = { algorithms: [...algorithms] };
  const keyFor = (header: CompactJWSHeaderParameters) => keys.keyFor(header);
  const verified = await compactVerify(token, keyFor, options).catch((error: unknown) => {
    throw error instanceof Refusal ? error : tokenInvalid(reasonOf(error), error);
  });
  // Nothing we understand asks for this header; whoever sends it expects it to be honoured.
  if (verified.protectedHeader.crit !== undefined) throw tokenInvalid('it asks for an extension');
  return readClaims(verified.payload);
}

/** Good for choosing who verifies the token, and for nothing else. */
export function unverifiedClaims(token: string): Claims {
  const [, payload = ''] = token.split('.');
  return readClaims(Buffer.from(payload, 'base64url'));
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function readClaims(payload: Uint8Array): Claims {
  try {
    const claims: unknown = JSON.parse(decoder.decode(payload));
    if (isJsonObject(claims)) return claims;
  } catch {
    // Not JSON: the same answer.
  }
  throw tokenInvalid('its claims are not a JSON object');
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not accepted';
  if (error instanceof errors.JWKSNoMatchingKey) return 'the provider has no such key';
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'it does not say which key signed it';
  if (error instanceof errors.JOSEError) return 'it is not a signed JSON web token';
  return 'its key cannot be used';
}
