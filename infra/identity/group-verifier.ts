/**
 * Verifies the tokens of an OpenID provider. Where its keys are and which algorithms it uses stands in
 * its discovery document (OpenID Connect Discovery, sections 3 and 4).
 */

import { groupCaller } from '../../core/access/group-caller.ts';
import type { Caller } from '../../core/access/permissions.ts';
import type { GroupAccessConfig } from '../../core/config/config.ts';
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import type { AccessParts } from './access-parts.ts';
import { createFetchJson, type FetchJson } from './fetch-json.ts';
import { ProviderDocument } from './provider-document.ts';
import { ProviderKeys } from './provider-keys.ts';
import { verifySignature } from './verify-signature.ts';

/** Signatures by private keys only: `none` and shared secrets are never accepted. */
const knownAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

type Provider = { readonly keys: ProviderKeys; readonly algorithms: readonly string[] };

export class GroupVerifier {
  readonly #config: GroupAccessConfig;
  readonly #parts: AccessParts;
  readonly #fetchJson: FetchJson;
  readonly #discovery: ProviderDocument<Provider>;

  constructor(config: GroupAccessConfig, parts: AccessParts) {
    this.#config = config;
    this.#parts = parts;
    this.#fetchJson = createFetchJson({ skipTlsVerify: config.skipTlsVerify });
    this.#discovery = new ProviderDocument({
      ...parts,
      url: `${config.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      fetchJson: this.#fetchJson,
      read: (json) => this.#read(json),
    });
    // Tells in the log at start when the provider is away or calls itself differently.
    this.#discovery.get().catch(() => {});
  }

  /** Refuses with `token-invalid` or `identity-provider-away`. */
  async callerOf(token: string): Promise<Caller> {
    const { keys, algorithms } = await this.#discovery.get();
    const claims = await verifySignature(token, keys, algorithms);
    return groupCaller(claims, this.#config, this.#parts.clock.now());
  }

  #read(json: JsonValue): Provider {
    if (!isJsonObject(json)) throw new Error('The discovery document is not a JSON object.');
    const { issuer, jwks_uri: jwksUri, id_token_signing_alg_values_supported: advertised } = json;
    if (issuer !== this.#config.issuer) {
      throw new Error(`The provider calls itself ${JSON.stringify(issuer)}, not OIDC_ISSUER.`);
    }
    const url = typeof jwksUri === 'string' ? URL.parse(jwksUri) : null;
    // Keys must come as safely as the document that names them; http issuers are on the loopback.
    if (url === null || (url.protocol !== 'https:' && url.origin !== new URL(issuer).origin)) {
      throw new Error('The discovery document names no safe jwks_uri.');
    }
    const listed = Array.isArray(advertised) ? advertised : ['RS256'];
    return {
      keys: new ProviderKeys(url.href, { ...this.#parts, fetchJson: this.#fetchJson }),
      algorithms: knownAlgorithms.filter((name) => listed.includes(name)),
    };
  }
}
