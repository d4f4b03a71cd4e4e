/** Fetches the documents of identity providers: small JSON, soon, from exactly where they should be. */

import { Agent, fetch } from 'undici';
import type { JsonValue } from '../../core/json.ts';

/** Rejects when there is no such document, whatever the cause. */
export type FetchJson = (url: string) => Promise<JsonValue>;

const TIMEOUT_MS = 5_000;
const SIZE_LIMIT_BYTES = 1_000_000;

export function createFetchJson({ skipTlsVerify }: { readonly skipTlsVerify: boolean }): FetchJson {
  const dispatcher = skipTlsVerify
    ? { dispatcher: new Agent({ connect: { rejectUnauthorized: false } }) }
    : {};
  return async (url) => {
    const response = await fetch(url, {
      ...dispatcher,
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`${url} answered ${response.status}.`);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > SIZE_LIMIT_BYTES) throw new Error(`The answer of ${url} is too large.`);
      chunks.push(chunk);
    }
    const json: JsonValue = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return json;
  };
}
