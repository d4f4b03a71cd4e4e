/**
 * Tells whether somebody we trust has signed a playbook as it is.
 *
 * G1  One good signature by a trusted key is enough; what is wrong with others is then a warning.
 * G2  The key inside a signature proves nothing about who signed: only configured keys are trusted.
 * G3  Nothing is fetched, and no more than a handful of signatures is looked at.
 */

import type { Finding } from '../../errors/finding.ts';
import type { JsonObject } from '../../json.ts';
import type { RuleId } from '../validation/rules.ts';
import { canonicalJson } from './canonical-json.ts';
import { type PlacedSignature, signaturesOf } from './signed-form.ts';

/**
 * `trusted`: made with a configured key. `unknown`: nothing is wrong with it, but its key is not one of
 * ours. `wrong`: it does not fit the document. `unsupported`: it cannot be verified here.
 */
export type SignatureVerdict = 'trusted' | 'unknown' | 'wrong' | 'unsupported';

/** Judges one signature over the canonical form of what it signs. */
export type VerifySignature = (signature: JsonObject, canonicalForm: string) => SignatureVerdict;

export type SignatureCheckOptions = {
  /** With 'require' a playbook without a good signature is not accepted. */
  readonly policy: 'warn' | 'require';
  readonly verify: VerifySignature;
  readonly nowMs: number;
};

const LOOKED_AT = 10;

/** Empty when a trusted key has signed the playbook and nothing is wrong with other signatures. */
export function checkSignatures(
  document: JsonObject,
  options: SignatureCheckOptions,
): readonly Finding[] {
  const all = signaturesOf(document);
  const objections = all
    .slice(0, LOOKED_AT)
    .map((placed) => objectionTo(placed, document, options));
  const isSigned = objections.some((objection) => objection === undefined);
  const found = objections.filter((objection) => objection !== undefined);
  if (all.length === 0) found.push(['signature-missing', '', 'The playbook is not signed.']);
  if (all.length > LOOKED_AT) {
    found.push(['signature-invalid', '/signatures', `Only ${LOOKED_AT} signatures are looked at.`]);
  }
  const severity = options.policy === 'require' && !isSigned ? 'error' : 'warning';
  return found.map(([rule, pointer, message]) => ({ rule, severity, pointer, message }));
}

type Objection = readonly [rule: SignatureRule, pointer: string, message: string];
type SignatureRule = Extract<RuleId, `signature-${string}`>;

const objections: Readonly<Record<Exclude<SignatureVerdict, 'trusted'>, [SignatureRule, string]>> =
  {
    unknown: ['signature-untrusted', 'No trusted key made this signature.'],
    wrong: ['signature-invalid', 'The signature does not fit the playbook.'],
    unsupported: [
      'signature-invalid',
      'The algorithm, the hash or the value of the signature cannot be used.',
    ],
  };

function objectionTo(
  { signature, pointer, signedForm }: PlacedSignature,
  document: JsonObject,
  { verify, nowMs }: SignatureCheckOptions,
): Objection | undefined {
  const verdict = verdictOn(signature, signedForm, verify);
  if (verdict !== 'trusted') {
    const [rule, message] = objections[verdict];
    return [rule, pointer, message];
  }
  const other = whatElseItSigns(signature, document);
  if (other !== undefined) return ['signature-invalid', pointer, `The signature is for ${other}.`];
  const reason = whyNotNow(signature, nowMs);
  return reason === undefined
    ? undefined
    : ['signature-outdated', pointer, `The signature ${reason}.`];
}

function verdictOn(
  signature: JsonObject,
  signedForm: JsonObject,
  verify: VerifySignature,
): SignatureVerdict {
  try {
    return verify(signature, canonicalJson(signedForm));
  } catch (error) {
    // A document without a canonical form cannot have been signed.
    if (error instanceof RangeError) return 'unsupported';
    throw error;
  }
}

function whatElseItSigns(signature: JsonObject, document: JsonObject): string | undefined {
  const { related_to: id, related_version: version } = signature;
  if (id !== undefined && id !== document['id']) return 'another playbook';
  if (version === undefined || timeOf(version) === timeOf(document['modified'])) return undefined;
  return 'another version of the playbook';
}

function whyNotNow(signature: JsonObject, nowMs: number): string | undefined {
  const { revoked, valid_from: from, valid_until: until } = signature;
  if (revoked === true) return 'was revoked';
  // Written so that a time that cannot be read counts against the signature.
  if (from !== undefined && !(timeOf(from) <= nowMs)) return 'is not valid yet';
  if (until !== undefined && !(nowMs < timeOf(until))) return 'is not valid any more';
  return undefined;
}

function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
