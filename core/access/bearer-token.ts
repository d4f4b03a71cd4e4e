/** The token of an Authorization header (RFC 6750, section 2.1). Never looked for anywhere else. */

import { tokenInvalid, unauthenticated } from './refuse-token.ts';

/** Beyond this nothing is parsed; tokens with hundreds of groups are smaller. */
export const AUTHORIZATION_LIMIT = 16_384;

const bearer = /^bearer +(?<token>[^ ].*)$/i;
const jsonWebToken = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Refuses with `unauthenticated` when there is none and `token-invalid` when it cannot be one. */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthenticated();
  if (authorization.length > AUTHORIZATION_LIMIT) throw tokenInvalid('it is too large');
  const token = bearer.exec(authorization.trim())?.groups?.['token'];
  if (token === undefined) throw unauthenticated();
  if (!jsonWebToken.test(token)) throw tokenInvalid('it is not a signed JSON web token');
  return token;
}
