/** Reads members of a message, refusing what is not there. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';

/** Why a message cannot be understood; never leaves the decoder. */
export class Malformed extends Error {}

/** The member's value; undefined also for null, which fins send for what they leave out. */
export function memberOf(json: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined;
}

export function textIn(json: JsonObject, name: string): string {
  const value = memberOf(json, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Malformed(`The member ${name} is missing or no text.`);
}

export function objectIn(json: JsonObject, name: string): JsonObject {
  const value = memberOf(json, name);
  if (isJsonObject(value)) return value;
  throw new Malformed(`The member ${name} is missing or no object.`);
}

/** The empty text when the member is missing or no text. */
export function anyTextIn(json: JsonObject, name: string): string {
  const value = memberOf(json, name);
  return typeof value === 'string' ? value : '';
}
