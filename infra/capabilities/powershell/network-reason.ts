/** Says in words why a connection failed; errors of the network carry codes, and sometimes no message. */

const knownReasons: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  EGRESS_DENIED: 'connections to it are not allowed',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Part of a sentence, such as: connection refused. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return knownReasons[code] ?? (error.message === '' ? code : error.message);
}
