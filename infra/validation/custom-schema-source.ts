/**
 * The schema VALIDATION_SCHEMA_URL names: fetched at start, compiled, fetched anew after an hour. A
 * refresh that fails keeps the last good one.
 */

import { compileCustomSchema } from '../../core/cacao/validation/custom-schema.ts';
import type { SchemaCheck } from '../../core/cacao/validation/schema-check.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';

const LIFETIME_MS = 3_600_000;
const FETCH_LIMIT_MS = 10_000;

export type CustomSchemaSource = {
  /** The schema in force; asking for it starts a refresh when it has grown old. */
  current(): SchemaCheck;
};

/** Rejects when the schema cannot be fetched or compiled: the start of the service fails with it. */
export async function openCustomSchema(
  url: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<CustomSchemaSource> {
  let check = await loadSchema(url);
  let loadedMs = clock.now();

  function refresh(): void {
    loadedMs = clock.now();
    loadSchema(url).then(
      (fresh) => {
        check = fresh;
      },
      (error: unknown) => log.warning('validation.schema-refresh-failed', { url, error }),
    );
  }

  return {
    current() {
      if (clock.now() - loadedMs > LIFETIME_MS) refresh();
      return check;
    },
  };
}

async function loadSchema(url: string): Promise<SchemaCheck> {
  try {
    return await compileCustomSchema(await fetchSchema(url), fetchSchema);
  } catch (cause) {
    throw new Error(`VALIDATION_SCHEMA_URL: the schema at ${url} cannot be used.`, { cause });
  }
}

async function fetchSchema(url: string): Promise<JsonObject> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) });
  if (!answer.ok) throw new Error(`${url} answered HTTP ${answer.status}.`);
  const schema: unknown = await answer.json();
  if (!isJsonObject(schema)) throw new Error(`${url} is not a JSON schema.`);
  return schema;
}
