/** Cross-origin rules (Fetch standard): which origins, methods and headers browsers may use. */

import type { HttpConfig } from '../../core/config/config.ts';

type Headers = Readonly<Record<string, string>>;

const TWELVE_HOURS = '43200';
const methods = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS';
const requestHeaders =
  'Authorization, Content-Length, Content-Type, Idempotency-Key, Origin, Prefer';

/** For the answer to a simple request; empty when the origin may not read it. */
export function corsHeaders(config: HttpConfig, origin: string | undefined): Headers {
  if (origin === undefined) return {};
  const allowed = allowedOrigin(config, origin);
  if (allowed === undefined) return {};
  const expose = 'Location, Preference-Applied, Retry-After';
  return { ...allowed, 'access-control-expose-headers': expose };
}

/** For the answer to a preflight; undefined when the origin is refused. */
export function preflightHeaders(config: HttpConfig, origin: string): Headers | undefined {
  const allowed = allowedOrigin(config, origin);
  return (
    allowed && {
      ...allowed,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': TWELVE_HOURS,
    }
  );
}

function allowedOrigin({ allowedOrigins }: HttpConfig, origin: string): Headers | undefined {
  if (allowedOrigins === 'any') return { 'access-control-allow-origin': '*' };
  if (!allowedOrigins.includes(origin)) return undefined;
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}
