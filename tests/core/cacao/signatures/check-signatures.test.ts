import { describe, expect, test } from 'vitest';
import {
  checkSignatures,
  type SignatureVerdict,
} from '../../../../core/cacao/signatures/check-signatures.ts';
import type { JsonObject } from '../../../../core/json.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const playbook = { id: 'playbook--1', modified: '2026-01-01T00:00:00.000Z', name: 'signed' };
const by = (verdict: SignatureVerdict, more: JsonObject = {}): JsonObject => ({ ...more, verdict });
const signedBy = (...signatures: readonly JsonObject[]) => ({ ...playbook, signatures });

/** Signatures say in the test what the verifier is to make of them. */
function check(document: JsonObject, policy: 'warn' | 'require' = 'require') {
  const verify = ({ verdict }: JsonObject) => verdict as SignatureVerdict;
  return checkSignatures(document, { policy, verify, nowMs: now }).map(
    ({ rule, severity, pointer }) => [rule, severity, pointer],
  );
}

test('a playbook signed with a trusted key is accepted without a word', () => {
  expect(check(signedBy(by('trusted')))).toEqual([]);
});

test.each<[string, JsonObject, string, string]>([
  ['no signatures', playbook, 'signature-missing', ''],
  ['an empty list', signedBy(), 'signature-missing', ''],
  ['no list', { ...playbook, signatures: 7 }, 'signature-missing', ''],
  ['an unknown key', signedBy(by('unknown')), 'signature-untrusted', '/signatures/0'],
  ['a wrong signature', signedBy(by('wrong')), 'signature-invalid', '/signatures/0'],
  ['an odd algorithm', signedBy(by('unsupported')), 'signature-invalid', '/signatures/0'],
])('%s is an error where signatures are required, else a warning', (_, document, rule, pointer) => {
  expect(check(document)).toEqual([[rule, 'error', pointer]]);
  expect(check(document, 'warn')).toEqual([[rule, 'warning', pointer]]);
});

test('one good signature is enough; what is wrong with the others is told', () => {
  expect(check(signedBy(by('wrong'), by('trusted'), by('unknown')))).toEqual([
    ['signature-invalid', 'warning', '/signatures/0'],
    ['signature-untrusted', 'warning', '/signatures/2'],
  ]);
});

test('a countersignature of a trusted key counts', () => {
  const countersigned = by('unknown', { signature: by('trusted') });

  expect(check(signedBy(countersigned))).toEqual([
    ['signature-untrusted', 'warning', '/signatures/0'],
  ]);
  expect(check(signedBy(by('unknown', { signature: by('wrong') })))).toEqual([
    ['signature-untrusted', 'error', '/signatures/0'],
    ['signature-invalid', 'error', '/signatures/0/signature'],
  ]);
});

describe('a trusted signature does not count', () => {
  test.each<[string, JsonObject, string]>([
    ['of another playbook', { related_to: 'playbook--2' }, 'signature-invalid'],
    ['of another version', { related_version: '2026-01-02T00:00:00Z' }, 'signature-invalid'],
    ['that was revoked', { revoked: true }, 'signature-outdated'],
    ['that begins later', { valid_from: '2026-06-01T00:00:00.001Z' }, 'signature-outdated'],
    ['that has ended', { valid_until: '2026-06-01T00:00:00Z' }, 'signature-outdated'],
    ['whose times cannot be read', { valid_until: 'for ever' }, 'signature-outdated'],
  ])('%s', (_, more, rule) => {
    expect(check(signedBy(by('trusted', more)))).toEqual([[rule, 'error', '/signatures/0']]);
  });

  test('unless all of that is as it should be', () => {
    const good = {
      related_to: playbook.id,
      related_version: '2026-01-01T00:00:00Z',
      valid_from: '2026-06-01T00:00:00Z',
      valid_until: '2026-06-01T00:00:00.001Z',
      revoked: false,
    };

    expect(check(signedBy(by('trusted', good)))).toEqual([]);
  });
});

test('no more than ten signatures are looked at', () => {
  let looked = 0;
  const verify = (): SignatureVerdict => {
    looked += 1;
    return 'unknown';
  };
  const document = signedBy(...Array.from({ length: 5000 }, () => ({})));

  const found = checkSignatures(document, { policy: 'require', verify, nowMs: now });

  expect(looked).toBe(10);
  expect(found).toHaveLength(11);
});

test('a document without a canonical form has no good signature', () => {
  expect(check({ ...signedBy(by('trusted')), name: '\ud800' })).toEqual([
    ['signature-invalid', 'error', '/signatures/0'],
  ]);
});
