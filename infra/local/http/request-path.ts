/** Splits the path of a request into decoded segments, forgiving what cannot be decoded. */

/**
 * Sequences that are not UTF-8 or not hexadecimal stay as they were sent, so that the app can answer
 * for them; so does an encoded slash, which must not become a separator. A trailing slash is dropped.
 */
export function splitPath(pathname: string): readonly string[] {
  const path = pathname.replace(/^\//, '').replace(/\/$/, '');
  return path === '' ? [] : path.split('/').map(decodeSegment);
}

function decodeSegment(segment: string): string {
  return segment.replace(/(?:%(?!2f)[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
