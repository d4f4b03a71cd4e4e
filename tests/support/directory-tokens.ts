/** A service behind a directory on the loopback, and tokens of that directory for it. */

import type { JsonObject } from '../../core/json.ts';
import {
  inSeconds,
  type SignOptions,
  startTokenPeer,
  type TokenPeer,
} from '../peers/oidc/token-peer.ts';

export const tenant = '6a3b1f0c-0000-4000-8000-000000000001';

export type Directory = {
  readonly peer: TokenPeer;
  /** For a service that accepts this directory's tokens. */
  readonly environment: Readonly<Record<string, string>>;
  /** The claims of an application with these roles. */
  readonly claims: (roles: readonly string[]) => JsonObject;
  /** Headers of a caller with these roles; `changes` are made to the claims. */
  readonly headers: (
    roles: readonly string[],
    changes?: JsonObject,
    options?: SignOptions,
  ) => Promise<{ readonly authorization: string }>;
};

export async function startDirectory(): Promise<Directory> {
  const peer = await startTokenPeer();
  const claims = (roles: readonly string[]): JsonObject => ({
    iss: `${peer.url}/${tenant}/v2.0`,
    tid: tenant,
    aud: 'api-client',
    ver: '2.0',
    azp: 'client-1',
    app_displayname: 'SIEM',
    idtyp: 'app',
    iat: inSeconds(0),
    exp: inSeconds(300),
    roles,
  });
  return {
    peer,
    environment: {
      AUTH_ENABLED: 'true',
      AUTH_IDP_TENANT_IDS: tenant,
      AUTH_IDP_API_CLIENT_ID: 'api-client',
      AUTH_IDP_LOGIN_URL: peer.url,
    },
    claims,
    headers: async (roles, changes = {}, options = {}) => ({
      authorization: `Bearer ${await peer.sign({ ...claims(roles), ...changes }, options)}`,
    }),
  };
}
