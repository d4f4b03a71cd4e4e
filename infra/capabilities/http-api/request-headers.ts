/** The headers a playbook asks for, in the order it gives them, made safe to send. */

import type { Command } from '../../../core/cacao/playbook.ts';

/** Name and value of each header line; values are UTF-8 bytes, one character per byte. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

export type HeadersReading =
  | { readonly ok: true; readonly lines: HeaderLines }
  | { readonly ok: false; readonly reason: string };

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Line breaks would let a value add headers or requests of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * Framing and connection belong to the client (RFC 9110, section 7.6.1; RFC 9112, section 6). Playbooks
 * copied from elsewhere carry these; they are left out, as is Host, which always names the target.
 */
const ownedByClient = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function readHeaders(headers: Command['headers']): HeadersReading {
  const lines: [string, string][] = [];
  for (const [given, values] of Object.entries(headers ?? {})) {
    const name = given.trim();
    if (!token.test(name)) return { ok: false, reason: `"${given}" is not a header name.` };
    if (ownedByClient.has(name.toLowerCase())) continue;
    for (const value of typeof values === 'string' ? [values] : values) {
      if (control.test(value)) {
        return { ok: false, reason: `The header ${name} holds a line break or control character.` };
      }
      lines.push([name, asHeaderBytes(value)]);
    }
  }
  return { ok: true, lines };
}

export function hasHeader(lines: HeaderLines, name: string): boolean {
  return lines.some(([given]) => given.toLowerCase() === name.toLowerCase());
}

export function withoutHeader(lines: HeaderLines, name: string): HeaderLines {
  return lines.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
}

/** True for text that may stand in a header value. */
export function isHeaderValue(text: string): boolean {
  return !control.test(text);
}

export function asHeaderBytes(text: string): string {
  return Buffer.from(text.trim(), 'utf8').toString('latin1');
}
