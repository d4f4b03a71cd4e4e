/** The public keys of an identity provider (RFC 7517). A key nobody has heard of yet is asked for at once. */

import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import { ProviderDocument, type ProviderDocumentOptions } from './provider-document.ts';

type KeySet = ReturnType<typeof createLocalJWKSet>;

export class ProviderKeys {
  readonly #document: ProviderDocument<KeySet>;

  constructor(url: string, parts: Omit<ProviderDocumentOptions<KeySet>, 'url' | 'read'>) {
    this.#document = new ProviderDocument({ ...parts, url, read: readKeySet });
  }

  /** The key a token was signed with. Throws the errors of `jose` when the provider has no such key. */
  async keyFor(header: JWSHeaderParameters): Promise<CryptoKey> {
    const keys = await this.#document.get();
    try {
      return await keys(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#document.refresh();
      if (newer === undefined) throw error;
      return newer(header);
    }
  }
}

function readKeySet(json: JsonValue): KeySet {
  if (!isJsonObject(json) || !Array.isArray(json['keys'])) {
    throw new Error('The provider sent no set of keys.');
  }
  const keys = json['keys'].filter(isJsonObject);
  return createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
}
