/** Tells callers by their tokens. With both modes on, the issuer a token names decides who checks it. */

import { bearerToken } from '../../core/access/bearer-token.ts';
import type { Access, Caller } from '../../core/access/permissions.ts';
import type { AccessConfig } from '../../core/config/config.ts';
import type { AccessParts } from './access-parts.ts';
import { AppRoleVerifier } from './app-role-verifier.ts';
import { GroupVerifier } from './group-verifier.ts';
import { unverifiedClaims } from './verify-signature.ts';

export class TokenAccess implements Access {
  readonly #groupIssuer: string | undefined;
  readonly #group: GroupVerifier | undefined;
  readonly #appRole: AppRoleVerifier | undefined;

  constructor({ group, appRole }: AccessConfig, parts: AccessParts) {
    this.#groupIssuer = group?.issuer;
    this.#group = group && new GroupVerifier(group, parts);
    this.#appRole = appRole && new AppRoleVerifier(appRole, parts);
  }

  async identify(authorization: string | undefined): Promise<Caller> {
    const token = bearerToken(authorization);
    const verifier = this.#verifierFor(unverifiedClaims(token)['iss']);
    return verifier.callerOf(token);
  }

  /** What the token says of its issuer chooses who verifies it, and is verified there with all the rest. */
  #verifierFor(issuer: unknown): GroupVerifier | AppRoleVerifier {
    const [group, appRole] = [this.#group, this.#appRole];
    if (group !== undefined && (appRole === undefined || issuer === this.#groupIssuer))
      return group;
    if (appRole !== undefined) return appRole;
    throw new Error('Neither mode of authentication is configured.');
  }
}
