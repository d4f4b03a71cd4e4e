/** The command text of http-api and openc2-http: METHOD PATH VERSION. */

export type RequestLine = { readonly method: string; readonly path: string };

export type RequestLineReading =
  | { readonly ok: true; readonly line: RequestLine }
  | { readonly ok: false; readonly reason: string };

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The version is not used: whatever it says, HTTP/1.1 is spoken. PATH may be an absolute URL. */
export function readRequestLine(text: string): RequestLineReading {
  const fields = text.split(/\s+/).filter((field) => field !== '');
  const [method = '', path = ''] = fields;
  if (fields.length !== 3) {
    const found = `found ${fields.length} of them`;
    return unusable(`Expected METHOD PATH VERSION, three fields without blanks inside; ${found}.`);
  }
  if (!token.test(method) || method === 'CONNECT') {
    return unusable(`Expected METHOD PATH VERSION; "${method}" is not a usable method.`);
  }
  return { ok: true, line: { method, path } };
}

function unusable(reason: string): RequestLineReading {
  return { ok: false, reason };
}
