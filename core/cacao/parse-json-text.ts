/** Reads the text of a request body or file as JSON. */

import { accepted, type Result, refused } from '../errors/result.ts';
import type { JsonValue } from '../json.ts';
import { isNestedTooDeep } from './json-shape.ts';

/** A leading byte order mark is accepted; nesting deeper than NESTING_LIMIT levels is refused. */
export function parseJsonText(
  text: string,
): Result<JsonValue, 'body-empty' | 'body-not-json' | 'body-too-deep'> {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (content.trim() === '') return refused('body-empty');
  let json: JsonValue;
  try {
    json = JSON.parse(content) as JsonValue;
  } catch {
    // Only a SyntaxError is possible, and its text would echo the body.
    return refused('body-not-json');
  }
  return isNestedTooDeep(json) ? refused('body-too-deep') : accepted(json);
}
