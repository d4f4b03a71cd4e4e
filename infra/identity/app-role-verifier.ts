/** Verifies the access tokens of a directory. Every tenant has keys of its own, at an address made from its id. */

import { appRoleCaller, isAcceptedTenant } from '../../core/access/app-role-caller.ts';
import type { Caller } from '../../core/access/permissions.ts';
import { tokenInvalid } from '../../core/access/refuse-token.ts';
import type { AppRoleAccessConfig } from '../../core/config/config.ts';
import type { AccessParts } from './access-parts.ts';
import { createFetchJson } from './fetch-json.ts';
import { ProviderKeys } from './provider-keys.ts';
import { unverifiedClaims, verifySignature } from './verify-signature.ts';

/** The only algorithm the directory signs access tokens with. */
const algorithms = ['RS256'];

export class AppRoleVerifier {
  readonly #config: AppRoleAccessConfig;
  readonly #parts: AccessParts;
  readonly #fetchJson = createFetchJson({ skipTlsVerify: false });
  readonly #keys = new Map<string, ProviderKeys>();

  constructor(config: AppRoleAccessConfig, parts: AccessParts) {
    this.#config = config;
    this.#parts = parts;
  }

  /** Refuses with `token-invalid` or `identity-provider-away`. */
  async callerOf(token: string): Promise<Caller> {
    const { tid } = unverifiedClaims(token);
    // Keys are fetched for configured tenants only: a token must not choose whom we ask.
    if (typeof tid !== 'string' || !isAcceptedTenant(tid, this.#config)) {
      throw tokenInvalid('its tenant is not accepted');
    }
    const claims = await verifySignature(token, this.#keysOf(tid.toLowerCase()), algorithms);
    return appRoleCaller(claims, this.#config, this.#parts.clock.now());
  }

  #keysOf(tenant: string): ProviderKeys {
    const present = this.#keys.get(tenant);
    if (present !== undefined) return present;
    const url = `${this.#config.loginUrl}/${tenant}/discovery/v2.0/keys`;
    const keys = new ProviderKeys(url, { ...this.#parts, fetchJson: this.#fetchJson });
    this.#keys.set(tenant, keys);
    return keys;
  }
}
