/** The two ways of answering 401, each with the challenge RFC 6750 (section 3) asks for. */

import { Refusal } from '../errors/refusal.ts';

/** No bearer token was sent. */
export function unauthenticated(): Refusal<'unauthenticated'> {
  return new Refusal('unauthenticated').with({ headers: { 'www-authenticate': 'Bearer' } });
}

/** A token was sent and is not good. `reason` completes a sentence and holds nothing of the token. */
export function tokenInvalid(reason: string, cause?: unknown): Refusal<'token-invalid'> {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
  return new Refusal('token-invalid', reason).with({ headers }, cause);
}
