/** Request bodies: limited, UTF-8, JSON, whatever their content type says. */

import type { HttpRequest } from '@azure/functions';
import { NESTING_LIMIT } from '../../core/cacao/json-shape.ts';
import { parseJsonText } from '../../core/cacao/parse-json-text.ts';
import { Refusal } from '../../core/errors/refusal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

/** Undefined for an empty body. Refuses with `body-too-large`, `-not-text`, `-not-json`, `-too-deep`, `-invalid`. */
export async function readJson(
  request: HttpRequest,
  maxBytes: number,
): Promise<JsonValue | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > maxBytes) throw new Refusal('body-too-large', maxBytes);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw new Refusal('body-too-large', maxBytes);
  const parsed = parseJsonText(decodeUtf8(bytes));
  if (parsed.ok) return parsed.value;
  if (parsed.code === 'body-empty') return undefined;
  if (parsed.code === 'body-too-deep') throw new Refusal('body-too-deep', NESTING_LIMIT);
  if (parsed.code === 'body-invalid') throw new Refusal('body-invalid', 'a number is out of range');
  throw new Refusal(parsed.code);
}

/** Refuses with `body-empty` or `body-not-object`. */
export function requireObject(body: JsonValue | undefined): JsonObject {
  if (body === undefined) throw new Refusal('body-empty');
  if (!isJsonObject(body)) throw new Refusal('body-not-object');
  return body;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('body-not-text');
  }
}
