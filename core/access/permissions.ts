/** What callers may be allowed to do (spec, Authentication), and who a caller is. */

export const permissions = [
  'playbook:read',
  'playbook:write',
  'playbook:execute',
  'admin',
] as const;
export type Permission = (typeof permissions)[number];

export type Caller = {
  /** For reports and security events; undefined while authentication is off. */
  readonly name?: string;
  /** Stable id of the user or application. */
  readonly id?: string;
  /** Empty when the token was accepted but names no group or role of this service. */
  readonly permissions: ReadonlySet<Permission>;
};

/** What an endpoint asks for: 'open' needs no token, 'any-role' any permission at all. */
export type Need = Permission | 'any-role' | 'open';

const everything: ReadonlySet<Permission> = new Set(permissions);

/** Everybody while AUTH_ENABLED is false. */
export const anybody: Caller = { permissions: everything };

/** Decides who calls. Refuses with `unauthenticated`, `token-invalid` or `identity-provider-away`. */
export interface Access {
  /** `authorization` is the header as sent, if any. */
  identify(authorization: string | undefined): Promise<Caller>;
}

export const openAccess: Access = { identify: async () => anybody };
