/** Reads an invocation as a request: everything but the credentials, without touching the network. */

import type { Invocation } from '../../../core/ports/capability.ts';
import { type HeaderLines, hasHeader, readHeaders } from './request-headers.ts';
import { readRequestLine } from './request-line.ts';
import { readUrls } from './request-url.ts';

export type PreparedRequest = {
  /** Tried one after the other until a connection is made; never empty. */
  readonly urls: readonly URL[];
  readonly method: string;
  readonly headers: HeaderLines;
  readonly body?: Buffer;
};

export type PreparedReading =
  | { readonly ok: true; readonly request: PreparedRequest }
  | { readonly ok: false; readonly reason: string };

/** `defaults` are sent where the playbook says nothing. */
export function prepareRequest(invocation: Invocation, defaults: HeaderLines): PreparedReading {
  const { command, target, authentication, text, content } = invocation;
  if (target === undefined) return { ok: false, reason: 'The step has no target.' };
  const line = readRequestLine(text);
  if (!line.ok) return line;
  const { method, path } = line.line;
  const where = readUrls(target, path, command.port);
  if (!where.ok) return where;
  // A path that came out of a variable must not be able to carry the credentials elsewhere.
  if (!where.withinTarget && authentication !== undefined && authentication.type !== '') {
    const reason = 'the URL in the command leads to another host';
    return { ok: false, reason: `The authentication does not belong to the target: ${reason}.` };
  }
  const given = readHeaders(command.headers);
  if (!given.ok) return given;
  const missing = defaults.filter(([name]) => !hasHeader(given.lines, name));
  const headers = [...given.lines, ...missing];
  const body = bytesOf(content);
  return {
    ok: true,
    request: { urls: where.urls, method, headers, ...(body.length === 0 ? {} : { body }) },
  };
}

function bytesOf(content: string | Uint8Array = ''): Buffer {
  if (typeof content === 'string') return Buffer.from(content, 'utf8');
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
