/**
 * App-role mode: the caller behind the claims of a directory's access token (spec, Authentication,
 * mode B). The checks come in the order of the contract: issuer, tenant, audience, version, times,
 * client, scope; then what the roles permit.
 */

import type { AppRoleAccessConfig } from '../config/config.ts';
import { permissionsOf } from './app-roles.ts';
import {
  type Claims,
  checkAudience,
  checkTimes,
  plainText,
  textClaim,
  textsClaim,
} from './claims.ts';
import type { Caller } from './permissions.ts';
import { tokenInvalid } from './refuse-token.ts';

const userScope = 'access_as_user';

/** Refuses with `token-invalid`. */
export function appRoleCaller(claims: Claims, config: AppRoleAccessConfig, nowMs: number): Caller {
  const tenant = textClaim(claims, 'tid') ?? '';
  const version = versionOfIssuer(claims['iss'], tenant, config);
  if (version === undefined) throw tokenInvalid('another provider issued it');
  if (!isAcceptedTenant(tenant, config)) throw tokenInvalid('its tenant is not accepted');
  checkAudience(claims, [
    config.clientId,
    ...(config.appIdUri === undefined ? [] : [config.appIdUri]),
  ]);
  if (claims['ver'] !== version) throw tokenInvalid('its version does not fit its issuer');
  if (version === '1.0' && !config.acceptV1)
    throw tokenInvalid('version 1 tokens are not accepted');
  checkTimes(claims, nowMs);
  const client = textClaim(claims, version === '2.0' ? 'azp' : 'appid');
  if (config.allowedClientIds !== undefined && !config.allowedClientIds.includes(client ?? '')) {
    throw tokenInvalid('its client is not accepted');
  }
  const isApplication = actsForItself(claims);
  if (!isApplication && !scopesOf(claims).includes(userScope)) {
    throw tokenInvalid(`it lacks the scope ${userScope}`);
  }
  const who = isApplication ? applicationIdentity(claims, client) : userIdentity(claims);
  return { ...who, permissions: permissionsOf(textsClaim(claims, 'roles')) };
}

/** Case does not matter: directories write ids in lower case, people paste them as they come. */
export function isAcceptedTenant(tenant: string, { tenantIds }: AppRoleAccessConfig): boolean {
  return tenantIds.some((accepted) => accepted.toLowerCase() === tenant.toLowerCase());
}

/** Each version of the tokens has an issuer of its own, made from the tenant. */
function versionOfIssuer(
  issuer: unknown,
  tenant: string,
  { loginUrl }: AppRoleAccessConfig,
): '1.0' | '2.0' | undefined {
  if (issuer === `${loginUrl}/${tenant}/v2.0`) return '2.0';
  return issuer === `https://sts.windows.net/${tenant}/` ? '1.0' : undefined;
}

/** What the directory writes about people; tokens of applications hold none of it. */
const personalClaims = [
  'nonce',
  'at_hash',
  'preferred_username',
  'upn',
  'unique_name',
  'given_name',
];

/**
 * Without `idtyp` the scope tells users from applications. An ID token has neither, and the same
 * audience and roles: it must not pass for an application.
 */
function actsForItself(claims: Claims): boolean {
  const { idtyp, scp } = claims;
  if (idtyp !== undefined) return idtyp === 'app';
  return scp === undefined && !personalClaims.some((name) => claims[name] !== undefined);
}

function scopesOf(claims: Claims): readonly string[] {
  return textClaim(claims, 'scp')?.split(' ') ?? [];
}

type Identity = Pick<Caller, 'name' | 'id'>;

function userIdentity(claims: Claims): Identity {
  const names = ['preferred_username', 'upn', 'unique_name', 'email', 'name'];
  return identity(
    names.flatMap((claim) => textClaim(claims, claim) ?? [])[0],
    textClaim(claims, 'oid') ?? textClaim(claims, 'sub'),
  );
}

function applicationIdentity(claims: Claims, client: string | undefined): Identity {
  const id = client ?? textClaim(claims, 'oid') ?? textClaim(claims, 'sub');
  return identity(textClaim(claims, 'app_displayname'), id);
}

function identity(name: string | undefined, id: string | undefined): Identity {
  return {
    ...(name === undefined ? {} : { name: plainText(name) }),
    ...(id === undefined ? {} : { id: plainText(id) }),
  };
}
