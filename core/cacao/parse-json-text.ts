/** Reads the text of a request body or file as JSON. */

import { accepted, type Result, refused } from '../errors/result.ts';
import type { JsonValue } from '../json.ts';
import { isNestedTooDeep } from './json-shape.ts';

/**
 * A leading byte order mark is accepted; nesting deeper than NESTING_LIMIT levels is refused, and so are
 * numbers beyond the range of a double (`body-invalid`): they would come back as null.
 */
export function parseJsonText(
  text: string,
): Result<JsonValue, 'body-empty' | 'body-not-json' | 'body-too-deep' | 'body-invalid'> {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (content.trim() === '') return refused('body-empty');
  let json: JsonValue;
  try {
    json = JSON.parse(content) as JsonValue;
  } catch {
    // Only a SyntaxError is possible, and its text would echo the body.
    return refused('body-not-json');
  }
  if (isNestedTooDeep(json)) return refused('body-too-deep');
  return mayOverflow.test(content) && holdsInfinity(json)
    ? refused('body-invalid')
    : accepted(json);
}

/** Without one of these no number can be out of range, so the usual document is not searched. */
const mayOverflow = /\de\+?\d{3}|\d{309}/i;

/** The depth was limited before. */
function holdsInfinity(json: JsonValue): boolean {
  if (typeof json === 'number') return !Number.isFinite(json);
  return typeof json === 'object' && json !== null && Object.values(json).some(holdsInfinity);
}
