/**
 * A document of an identity provider: fetched when first needed, kept for a day.
 *
 * D1  One fetch at a time, whoever asks.
 * D2  A document that cannot be had refuses with `identity-provider-away`; nothing is ever assumed.
 * D3  After a failure the provider gets a short rest; then the next caller asks it again.
 * D4  A refresh before its time happens at most once a minute, whatever callers send.
 */

import { Refusal } from '../../core/errors/refusal.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { FetchJson } from './fetch-json.ts';

const KEPT_MS = 24 * 3_600_000;
const REST_MS = 1_000;
const REFRESH_PAUSE_MS = 60_000;

export type ProviderDocumentOptions<Value> = {
  readonly url: string;
  readonly fetchJson: FetchJson;
  /** Throws when the document is not what it should be. */
  readonly read: (json: JsonValue) => Value;
  readonly clock: Clock;
  readonly log: Log;
};

export class ProviderDocument<Value> {
  readonly #options: ProviderDocumentOptions<Value>;
  #kept: { readonly value: Value; readonly sinceMs: number } | undefined;
  #fetching: Promise<Value> | undefined;
  #failure: { readonly refusal: Refusal; readonly sinceMs: number } | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProviderDocumentOptions<Value>) {
    this.#options = options;
  }

  async get(): Promise<Value> {
    const kept = this.#kept;
    if (kept !== undefined && this.#now() - kept.sinceMs < KEPT_MS) return kept.value;
    return this.#fetch();
  }

  /** The newest version; undefined when it was asked for less than a minute ago (D4). */
  async refresh(): Promise<Value | undefined> {
    if (this.#fetching !== undefined) return this.#fetching;
    if (this.#now() - this.#refreshedMs < REFRESH_PAUSE_MS) return undefined;
    const value = await this.#fetch();
    this.#refreshedMs = this.#now();
    return value;
  }

  #fetch(): Promise<Value> {
    const failure = this.#failure;
    if (failure !== undefined && this.#now() - failure.sinceMs < REST_MS) {
      return Promise.reject(failure.refusal);
    }
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<Value> {
    const { url, fetchJson, read, log } = this.#options;
    try {
      const value = read(await fetchJson(url));
      if (this.#failure !== undefined) log.info('identity.provider-back', { url });
      this.#kept = { value, sinceMs: this.#now() };
      this.#failure = undefined;
      return value;
    } catch (error) {
      if (this.#failure === undefined) log.error('identity.provider-away', { url, error });
      const refusal = new Refusal('identity-provider-away').with({}, error);
      this.#failure = { refusal, sinceMs: this.#now() };
      throw refusal;
    }
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
