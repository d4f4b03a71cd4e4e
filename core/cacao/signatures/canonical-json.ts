/**
 * JSON Canonicalization Scheme (RFC 8785): one text for one value, whoever writes it. ECMAScript writes
 * numbers and texts as the scheme wants them; what remains is the order of members and the refusal of
 * what I-JSON (RFC 7493) does not allow.
 */

import type { JsonValue } from '../../json.ts';

/** Throws a RangeError for lone surrogates and for numbers that have no finite value. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).toSorted(byCodeUnits);
  return `{${members.map(([name, member]) => `${canonicalText(name)}:${canonicalJson(member)}`).join(',')}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('A text holds half a character.');
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('A number is too large.');
  return JSON.stringify(value);
}

/** By UTF-16 code units, as ECMAScript compares texts. No two members have the same name. */
function byCodeUnits([one]: [string, JsonValue], [other]: [string, JsonValue]): number {
  return one < other ? -1 : 1;
}
