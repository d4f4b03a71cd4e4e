/**
 * How an access token is to be had when oauth2 authentication information holds none (its `token` is
 * blank). Members, beside those CACAO 2.0 defines:
 *
 *   token_url      https URL of the token endpoint (RFC 6749, section 4.4: client credentials)
 *   client_id      or user_id; the client
 *   client_secret  or password; its secret
 *   scope          what the token is for, several separated by blanks; for Entra `<app id uri>/.default`
 *   managed_identity  true: use the identity of the host instead of a client; client_id then names a
 *                     user-assigned one, and resource (or scope) what the token is for
 */

import type { AuthenticationInfo } from '../../../core/cacao/playbook.ts';

export type ClientCredentialsGrant = {
  readonly kind: 'client-credentials';
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
};

export type ManagedIdentityGrant = {
  readonly kind: 'managed-identity';
  readonly resource: string;
  /** Absent for the system-assigned identity. */
  readonly clientId?: string;
};

export type TokenGrant = ClientCredentialsGrant | ManagedIdentityGrant;

export type GrantReading =
  /** `grant` is undefined when the object does not say how to get a token. */
  | { readonly ok: true; readonly grant: TokenGrant | undefined }
  | { readonly ok: false; readonly reason: string };

export function readTokenGrant(info: AuthenticationInfo): GrantReading {
  const members = new Map(Object.entries(info));
  const text = (...names: readonly string[]) => {
    for (const name of names) {
      const value = members.get(name);
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
    return '';
  };
  const clientId = text('client_id', 'user_id');
  if (String(members.get('managed_identity')) === 'true') {
    const resource = text('resource', 'scope').replace(/\/\.default$/, '');
    if (resource === '') return incomplete('resource');
    const identity = clientId === '' ? {} : { clientId };
    return { ok: true, grant: { kind: 'managed-identity', resource, ...identity } };
  }
  if (text('token_url') === '') return { ok: true, grant: undefined };
  const tokenUrl = URL.parse(text('token_url'));
  if (tokenUrl?.protocol !== 'https:') {
    return { ok: false, reason: 'The token_url of the oauth2 authentication is not an https URL.' };
  }
  const clientSecret = text('client_secret', 'password');
  const scopes = text('scope').split(/\s+/).filter(Boolean);
  if (clientId === '') return incomplete('client_id');
  if (clientSecret === '') return incomplete('client_secret');
  if (scopes.length === 0) return incomplete('scope');
  return {
    ok: true,
    grant: { kind: 'client-credentials', tokenUrl, clientId, clientSecret, scopes },
  };
}

function incomplete(member: string): GrantReading {
  return { ok: false, reason: `The oauth2 authentication needs a token, or else a ${member}.` };
}
