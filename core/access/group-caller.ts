/** Group mode: the caller behind the claims of an OpenID provider's token (spec, Authentication, mode A). */

import type { GroupAccessConfig } from '../config/config.ts';
import {
  type Claims,
  checkAudience,
  checkTimes,
  plainText,
  textClaim,
  textsClaim,
} from './claims.ts';
import { anybody, type Caller } from './permissions.ts';
import { tokenInvalid } from './refuse-token.ts';

/** Members of the group may do everything, others nothing. Refuses with `token-invalid`. */
export function groupCaller(claims: Claims, config: GroupAccessConfig, nowMs: number): Caller {
  // The exact text, trailing slash included (OpenID Connect Core, section 3.1.3.7).
  if (claims['iss'] !== config.issuer) throw tokenInvalid('another provider issued it');
  checkAudience(claims, [config.clientId]);
  checkTimes(claims, nowMs);
  const isMember = textsClaim(claims, config.groupsClaim).includes(config.group);
  return { ...identity(claims), permissions: isMember ? anybody.permissions : new Set() };
}

function identity(claims: Claims): Pick<Caller, 'name' | 'id'> {
  const id = textClaim(claims, 'sub');
  const name = ['preferred_username', 'email', 'name'].flatMap(
    (claim) => textClaim(claims, claim) ?? [],
  )[0];
  return {
    ...(name === undefined ? {} : { name: plainText(name) }),
    ...(id === undefined ? {} : { id: plainText(id) }),
  };
}
