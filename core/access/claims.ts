/** What both modes ask of the claims of a token whose signature has been verified (RFC 7519, section 4.1). */

import type { JsonObject, JsonValue } from '../json.ts';
import { tokenInvalid } from './refuse-token.ts';

export type Claims = JsonObject;

/** How far the clocks of provider and service may be apart. */
const TOLERANCE_MS = 60_000;

export function textClaim(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A claim that providers write as a list or as one text; whatever is no text is left out. */
export function textsClaim(claims: Claims, name: string): readonly string[] {
  const value: JsonValue | undefined = claims[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** Refuses tokens for somebody else. */
export function checkAudience(claims: Claims, accepted: readonly string[]): void {
  const audience = textsClaim(claims, 'aud');
  if (!accepted.some((name) => audience.includes(name))) {
    throw tokenInvalid('it was issued for another service');
  }
}

/** Refuses tokens without an end, past it, before their beginning, or from the future. */
export function checkTimes(claims: Claims, nowMs: number): void {
  const { exp, nbf, iat } = claims;
  if (typeof exp !== 'number') throw tokenInvalid('it never expires');
  if (nowMs >= exp * 1000 + TOLERANCE_MS) throw tokenInvalid('it has expired');
  for (const begin of [nbf, iat]) {
    if (begin === undefined) continue;
    if (typeof begin !== 'number') throw tokenInvalid('its times are not numbers');
    if (begin * 1000 > nowMs + TOLERANCE_MS) throw tokenInvalid('it is not valid yet');
  }
}

const LONGEST_NAME = 256;

/** A text for logs and reports: one line, and none of the signs that set the id apart from the name. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/gu, '')
    .trim()
    .slice(0, LONGEST_NAME);
}
