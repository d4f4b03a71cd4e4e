/** Writes a cookie of a function's answer as a Set-Cookie header (RFC 6265 section 4.1). */

import type { CookieData } from '../worker/typed-data.ts';

const sameSiteNames = { lax: 'Lax', strict: 'Strict', explicitNone: 'None' } as const;

/** Name, value, domain and path are written so that none of them can start another attribute. */
export function writeSetCookie(cookie: CookieData): string {
  const parts = [
    `${cookie.name.replace(/[^\w!#$%&'*+.^`|~-]/g, '')}=${encodeURIComponent(cookie.value)}`,
  ];
  const { domain, path, expires, maxAge, sameSite } = cookie;
  if (domain) parts.push(`Domain=${attribute(domain.value)}`);
  if (path) parts.push(`Path=${attribute(path.value)}`);
  if (expires) parts.push(`Expires=${new Date(expires.value.seconds * 1000).toUTCString()}`);
  if (maxAge) parts.push(`Max-Age=${Math.floor(maxAge.value)}`);
  if (cookie.secure?.value) parts.push('Secure');
  if (cookie.httpOnly?.value) parts.push('HttpOnly');
  if (sameSite && sameSite !== 'none') parts.push(`SameSite=${sameSiteNames[sameSite]}`);
  return parts.join('; ');
}

function attribute(text: string): string {
  return text.replace(/[^\x20-\x3a\x3c-\x7e]/g, '');
}
