/**
 * Verifies one signature of a playbook. What is signed is the hash of the canonical form, spelled in
 * lower-case hexadecimal digits: so do the worked examples of CACAO 2.0 and of ITU-T X.590. Where the
 * text of the latter is read to the letter it is the bytes of the hash; both bind the same document.
 */

import { createHash, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import type {
  SignatureVerdict,
  VerifySignature,
} from '../../core/cacao/signatures/check-signatures.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Algorithm, algorithmNamed, hashNamed } from './algorithms.ts';

export function createSignatureVerifier(trusted: readonly KeyObject[]): VerifySignature {
  return (signature, canonicalForm): SignatureVerdict => {
    const { value, hash_algorithm: hashAlgorithm = 'sha-256' } = signature;
    const algorithm = algorithmNamed(signature['algorithm']);
    const hash = hashNamed(hashAlgorithm);
    if (algorithm === undefined || hash === undefined) return 'unsupported';
    if (typeof value !== 'string' || !base64Url.test(value)) return 'unsupported';
    const digest = createHash(hash).update(canonicalForm).digest();
    const signed = { digest, value: Buffer.from(value, 'base64url') };
    if (trusted.some((key) => isMadeBy(key, algorithm, signed))) return 'trusted';
    const own = embeddedKey(signature);
    // Without a key of its own there is no telling whose it is, nor whether it is wrong.
    return own === undefined || isMadeBy(own, algorithm, signed) ? 'unknown' : 'wrong';
  };
}

const base64Url = /^[\w-]+={0,2}$/;

type Signed = { readonly digest: Buffer; readonly value: Buffer };

function isMadeBy(key: KeyObject, algorithm: Algorithm, { digest, value }: Signed): boolean {
  if (!algorithm.fits(key)) return false;
  const input = { key, ...algorithm.options };
  return [Buffer.from(digest.toString('hex')), digest].some((message) =>
    verify(algorithm.digest, message, input, value),
  );
}

/** Good for telling a wrong signature from an unknown one; it says nothing about who signed. */
function embeddedKey({ public_key: key, public_cert_chain: chain }: JsonObject) {
  try {
    if (typeof key === 'string') {
      return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    }
    const [first] = Array.isArray(chain) ? chain : [];
    if (typeof first === 'string')
      return new X509Certificate(Buffer.from(first, 'base64')).publicKey;
  } catch {
    // Not a key: the same as none.
  }
  return undefined;
}
