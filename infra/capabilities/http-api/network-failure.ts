/** Why a request got no answer, in words fit for a report: host and port, never credentials or queries. */

import { errors } from 'undici';

/** `http://host:port`, the port also where it is the scheme's own. */
export function endpointOf(url: URL): string {
  return `${url.protocol}//${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
}

/** Whether no connection came about, so that nothing can have been received: another address may be tried. */
export function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(neverConnected);
  }
  if (codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT') return true;
  const call = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  return call === 'connect' || call === 'getaddrinfo';
}

export function networkReason(error: unknown): string {
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  const code = codeOf(error);
  const known = reasons.get(code);
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : String(error);
  return [code, message].filter((part) => part !== '').join(': ');
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code ?? '') : '';
}

const reasons = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['EPIPE', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was closed before the answer was complete'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection could not be made in time'],
  ['ETIMEDOUT', 'the connection could not be made in time'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the answer are too large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the answer is shorter or longer than it says'],
  ['ENOTFOUND', 'there is no such name'],
  ['EAI_AGAIN', 'the name could not be looked up'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate comes from an authority that is not trusted'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'the certificate comes from an authority that is not trusted',
  ],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'the certificate comes from an authority that is not trusted',
  ],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate belongs to another host'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the other side does not speak TLS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the other side does not speak TLS'],
  ['EGRESS_DENIED', 'connections to it are not allowed'],
  ['EPROTO', 'the TLS handshake failed'],
  ['Z_DATA_ERROR', 'the answer cannot be unpacked'],
  ['Z_BUF_ERROR', 'the answer cannot be unpacked'],
]);
