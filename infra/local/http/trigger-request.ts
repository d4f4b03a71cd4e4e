/** The parts of an incoming request that its function is shown. */

import type { IncomingMessage } from 'node:http';
import type { NullableText } from '../worker/typed-data.ts';

// The identity of the caller, which only the platform's own login may state. Nobody else's word counts.
const identityHeader = /^x-ms-client-principal/;

/** Lower-case names; empty headers and those that only the platform may set are left out. */
export function headersForFunction(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (text !== undefined && text !== '' && !identityHeader.test(name)) headers[name] = text;
  }
  return headers;
}

/** A key that appears several times gives one value, joined by commas. */
export function queryForFunction(query: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of query) {
    values[name] = Object.hasOwn(values, name) ? `${values[name]},${value}` : value;
  }
  return values;
}

export function toNullable(
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, NullableText>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}
