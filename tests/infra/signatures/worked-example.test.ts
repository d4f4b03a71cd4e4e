/** The worked examples of the standards, word for word: CACAO 2.0 (playbook signature using RSA) and ITU-T X.590, clause 7. */

import { createHash, createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../core/cacao/signatures/canonical-json.ts';
import { checkSignatures } from '../../../core/cacao/signatures/check-signatures.ts';
import { signaturesOf } from '../../../core/cacao/signatures/signed-form.ts';
import type { JsonObject } from '../../../core/json.ts';
import { createSignatureVerifier } from '../../../infra/signatures/signature-verifier.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const keyOf = (spki: string) =>
  createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });

describe('CACAO 2.0', () => {
  const publicKey =
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAptKZyFPStvmOlb0WihOBhlHUr6wFDHC+tW7hJAudfTQ5mHZQpB8PoMz07udZA+dG8dhUIPkmXlp1TgREeYTHdhxhuf0y/GhbpZv5JPYHx3watO+HWO2qYkjRMEcrWhPMdaVkS/Xe/liaMcow4jYoWaFm8VobeYsyVD2bWWdyl4joTEETm1Z47RnnfR15kVhVudVrDzEFmM4nXV/6dmIg184RJE4httwBFxR8qZCQCwTiJmsoyJxfUR0Gs4ePKc5sB0NTkmFZc5klQSitd67RJn2ldhbqE7EpDl4XlIt+UyLJm1guCBltia8Agke7dXuhpB7hQ6LJwY4EjzthkJ8IPwIDAQAB';
  const existing = {
    type: 'jss',
    id: 'jss--af4b4bf3-677a-411d-887a-1f6fa5090c05',
    created_by: 'identity--be59c641-b2d5-4930-94fc-6fd583524fc6',
    created: '2023-02-02T14:31:31.319Z',
    modified: '2023-02-02T14:31:31.319Z',
    signee: 'Existing Example Company',
    valid_from: '2023-02-02T14:31:31.319Z',
    valid_until: '2023-06-18T11:31:31.319Z',
    related_to: 'playbook--a0777575-5c4c-4710-9f01-15776103837f',
    related_version: '2022-05-18T11:31:31.319Z',
    hash_algorithm: 'sha-256',
    algorithm: 'RS256',
    public_key: 'some public key',
    value: 'some signature',
  };
  const added = {
    type: 'jss',
    id: 'jss--af892292-c4b4-47eb-9be6-4897ff4b9388',
    created_by: 'identity--5abe695c-7bd5-4c31-8824-2528696cdbf1',
    created: '2023-01-10T17:39:31.319Z',
    modified: '2023-01-10T17:39:31.319Z',
    signee: 'ACME Cyber Company',
    valid_from: '2023-01-10T17:39:31.319Z',
    valid_until: '2023-06-10T17:39:31.319Z',
    related_to: 'playbook--a0777575-5c4c-4710-9f01-15776103837f',
    related_version: '2022-05-18T11:31:31.319Z',
    hash_algorithm: 'sha-256',
    algorithm: 'RS256',
    public_key: publicKey,
    value:
      'gXyPW--uUKvGXRh_oDC7IYlx13hGmkiQw6XX3YX_V_i4Y39OPilf0q0qf46aO3IrvG-5_fgeQ3dIunmizYneaVJKjsXo-gkJczvGDehlTjS7MBUIGyD9DRd41DnaxWWwzU-T4sZCur664_3J0C-WRCDgZxiB_ItFpeSnPJ8rR8GRFO6M9YS-ejEGJl-sd_hfZUqjZOE_S_UWp_Fd9QYlP2cWDvGH8vFhx2ek9KovEob5Bh2LX_Gaf7t237B34wKeN4B8aqapyTh3Q8v_Z61bDTNLyi6ZA8zcrUOgCVLVMx_EFizx31WIDZrePsSpX4bfRurcvRyvNNVdWLaS96JYog',
  };
  const playbook = {
    type: 'playbook',
    spec_version: 'cacao-2.0',
    id: 'playbook--a0777575-5c4c-4710-9f01-15776103837f',
    name: 'Playbook 1',
    created_by: 'identity--5abe695c-7bd5-4c31-8824-2528696cdbf1',
    created: '2022-05-18T11:31:31.319Z',
    modified: '2022-05-18T11:31:31.319Z',
    signatures: [existing, added],
  };
  const verify = createSignatureVerifier([keyOf(publicKey)]);
  const check = (document: JsonObject, at = '2023-03-01T00:00:00Z') =>
    checkSignatures(document, { policy: 'require', verify, nowMs: Date.parse(at) });

  test('the canonical form has the hash of the standard', () => {
    const [, placed] = signaturesOf(playbook);

    expect(sha256(canonicalJson(placed?.signedForm ?? {}))).toBe(
      '973bb6492184e4681b1eab9df1f56926fc1a91582e3529bfd0bfb231e1c51b0a',
    );
  });

  test('the signature is good, alone and beside another', () => {
    expect(check({ ...playbook, signatures: [added] })).toEqual([]);
    expect(check(playbook)).toMatchObject([{ severity: 'warning', pointer: '/signatures/0' }]);
  });

  test('it is not good for a playbook that was changed in any place', () => {
    const changed = { ...playbook, name: 'Playbook 2', signatures: [added] };
    const renamed = { ...playbook, signatures: [{ ...added, signee: 'Evil Company' }] };

    expect(check(changed)).toMatchObject([{ rule: 'signature-invalid', severity: 'error' }]);
    expect(check(renamed)).toMatchObject([{ rule: 'signature-invalid', severity: 'error' }]);
  });

  test('it has ended by now', () => {
    expect(check({ ...playbook, signatures: [added] }, '2026-01-01T00:00:00Z')).toMatchObject([
      { rule: 'signature-outdated', severity: 'error' },
    ]);
  });
});

describe('ITU-T X.590', () => {
  const publicKey = 'MCowBQYDK2VwAyEAubMonBfU9pvIbj5RCiWQLD45Jvu6mKr+kQXjvjW8ZkU';
  const document = { statement: 'Hello signed world!', otherProperties: ['home', 'food'] };
  const byExampleKey = { hash_algorithm: 'sha-256', algorithm: 'Ed25519', public_key: publicKey };
  const verify = createSignatureVerifier([keyOf(publicKey)]);

  test('the signature of clause 7.1 is good', () => {
    const value =
      'F1Sj4VcZlSt5GO3Bcu4izpCklj9DbKDNvc2Trpdznfqgv9HMPUGVtefMsHfTqel-dN20lUXsdoeD8PpVr1ssCg';
    const signed = { ...document, signatures: [{ ...byExampleKey, value }] };
    const canonicalForm = canonicalJson(signaturesOf(signed)[0]?.signedForm ?? {});

    expect(sha256(canonicalForm)).toBe(
      'e005ae762a01723f3b58fa8edb2b2cc3b126ca087077189072cfd9a27e6079d5',
    );
    expect(checkSignatures(signed, { policy: 'require', verify, nowMs: 0 })).toEqual([]);
  });

  test('the countersignature of clause 7.2 is good', () => {
    const value =
      'b_7Xu5qmpCGx7f0VneTUuFxGOcck3Fk5duNlRzDo-ifG1faoK3-xV_xc62DyHnPIgAGDbbSOlKf9kaxs_qAjBA';
    const countersigned = {
      ...document,
      signatures: [
        {
          hash_algorithm: '-- some hashing algorithm --',
          algorithm: '-- some signing algorithm --',
          public_key: '-- some public key --',
          value: '-- some existing digital signature --',
          signature: { ...byExampleKey, value },
        },
      ],
    };
    const canonicalForm = canonicalJson(signaturesOf(countersigned)[1]?.signedForm ?? {});

    expect(sha256(canonicalForm)).toBe(
      'd77acfa79aa675f22d4517f534df7919f2fdf9821b73f03e97140067abce9ab9',
    );
    expect(checkSignatures(countersigned, { policy: 'require', verify, nowMs: 0 })).toMatchObject([
      { severity: 'warning', pointer: '/signatures/0' },
    ]);
  });
});
