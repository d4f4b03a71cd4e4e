/** The address a request asks for, as an absolute URL. */

import type { IncomingMessage } from 'node:http';

/** Undefined for an address that no URL parser accepts. Dots in the path are resolved. */
export function requestUrl(
  request: IncomingMessage,
  scheme: 'http' | 'https',
  port: number,
): URL | undefined {
  const target = request.url ?? '/';
  const host = request.headers.host ?? `localhost:${port}`;
  // A client that believes us to be a proxy sends the absolute form (RFC 9112 section 3.2.2).
  const isAbsolute = /^https?:\/\//i.test(target);
  if (!isAbsolute && !target.startsWith('/')) return undefined;
  const url = URL.parse(isAbsolute ? target : `${scheme}://${host}${target}`);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return url.pathname.includes('%00') ? undefined : url;
}
