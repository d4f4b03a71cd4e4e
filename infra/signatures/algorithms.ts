/** Signature and hash algorithms (RFC 7518, section 3.1; RFC 8037), as the platform's cryptography knows them. */

import { constants, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';

export type Algorithm = {
  /** Null where the algorithm brings its own hash. */
  readonly digest: string | null;
  readonly fits: (key: KeyObject) => boolean;
  readonly options: Omit<VerifyKeyObjectInput, 'key'>;
};

const RSA_LEAST_BITS = 2048;

export function algorithmNamed(name: unknown): Algorithm | undefined {
  return typeof name === 'string' ? algorithms.get(name) : undefined;
}

/** The hash names of IANA that are still good, with the platform's own. */
export function hashNamed(name: unknown): string | undefined {
  return typeof name === 'string' ? hashes.get(name) : undefined;
}

const hashes: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
  ['sha3-256', 'sha3-256'],
  ['sha3-384', 'sha3-384'],
  ['sha3-512', 'sha3-512'],
]);

const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ...['256', '384', '512'].flatMap((bits) => [rsa(bits), rsaPss(bits)]),
  ecdsa('256', 'prime256v1'),
  ecdsa('384', 'secp384r1'),
  ecdsa('512', 'secp521r1'),
  edwards('Ed25519', 'ed25519'),
  edwards('Ed448', 'ed448'),
  // The name JSON web tokens use for the first of the two.
  edwards('EdDSA', 'ed25519'),
]);

function rsa(bits: string): [string, Algorithm] {
  const options = { padding: constants.RSA_PKCS1_PADDING };
  return [`RS${bits}`, { digest: `sha${bits}`, fits: isStrongRsa, options }];
}

function rsaPss(bits: string): [string, Algorithm] {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return [
    `PS${bits}`,
    { digest: `sha${bits}`, fits: isStrongRsa, options: { padding, saltLength } },
  ];
}

function ecdsa(bits: string, curve: string): [string, Algorithm] {
  return [
    `ES${bits}`,
    {
      digest: `sha${bits}`,
      fits: (key) => key.asymmetricKeyDetails?.namedCurve === curve,
      options: { dsaEncoding: 'ieee-p1363' },
    },
  ];
}

function edwards(name: string, keyType: string): [string, Algorithm] {
  return [name, { digest: null, fits: (key) => key.asymmetricKeyType === keyType, options: {} }];
}

function isStrongRsa(key: KeyObject): boolean {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_LEAST_BITS;
}
