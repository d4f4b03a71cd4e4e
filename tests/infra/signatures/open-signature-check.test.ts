import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Playbook } from '../../../core/cacao/playbook.ts';
import type { Finding } from '../../../core/errors/finding.ts';
import type { PlaybookCheck } from '../../../core/execution/playbook-check.ts';
import { openSignatureCheck } from '../../../infra/signatures/open-signature-check.ts';
import { noLog } from '../../support/no-log.ts';
import { recordingLog } from '../../support/recording-log.ts';

const directory = mkdtempSync(join(tmpdir(), 'theobroma-trusted-'));
afterAll(() => rmSync(directory, { recursive: true }));

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' });
const keySet = JSON.stringify({ keys: [{ ...jwk, kid: 'release' }] });
const clock = { now: () => Date.parse('2026-06-01T00:00:00Z') };

const accepting: PlaybookCheck = () => ({
  ok: true,
  playbook: { id: 'playbook--1' } as Playbook,
  findings: [missingExit],
});
const missingExit: Finding = {
  rule: 'branch-without-end',
  severity: 'warning',
  pointer: '',
  message: 'There is no end.',
};

async function open(policy: 'warn' | 'require', trustedKeys: string | undefined) {
  const { log, lines } = recordingLog();
  const add = await openSignatureCheck({ policy, trustedKeys }, { clock, log });
  return { check: add(accepting), lines };
}

/** Signed by hand: the members below are in canonical order already. */
function aSignedPlaybook() {
  const hash = createHash('sha256')
    .update('{"id":"playbook--1","signatures":[{"algorithm":"Ed25519"}]}')
    .digest('hex');
  const value = sign(null, Buffer.from(hash), privateKey).toString('base64url');
  return { signatures: [{ value, algorithm: 'Ed25519' }], id: 'playbook--1' };
}

test('while signatures are not looked at the check stays what it was', async () => {
  const add = await openSignatureCheck(undefined, { clock, log: noLog });

  expect(add(accepting)).toBe(accepting);
});

test('trusted keys may stand in the setting or in a file', async () => {
  const path = join(directory, 'keys.json');
  writeFileSync(path, keySet);

  for (const setting of [keySet, path]) {
    const { check, lines } = await open('require', setting);
    expect(check(aSignedPlaybook())).toMatchObject({ ok: true, findings: [missingExit] });
    expect(lines).toEqual([]);
  }
});

test('where signatures are required, a playbook without a good one is not accepted', async () => {
  const { check } = await open('require', keySet);

  expect(check({ ...aSignedPlaybook(), name: 'changed' })).toMatchObject({
    ok: false,
    findings: [missingExit, { rule: 'signature-untrusted', severity: 'error' }],
  });
  expect(check({ id: 'playbook--1' })).toMatchObject({
    ok: false,
    findings: [missingExit, { rule: 'signature-missing', severity: 'error' }],
  });
});

test('a warning is given to the author and to the log', async () => {
  const { check, lines } = await open('warn', undefined);

  expect(check(aSignedPlaybook())).toMatchObject({
    ok: true,
    findings: [missingExit, { rule: 'signature-untrusted', severity: 'warning' }],
  });
  expect(lines).toEqual([
    {
      level: 'warning',
      event: 'playbook.signature-doubtful',
      fields: { playbookId: 'playbook--1', rules: ['signature-untrusted'] },
    },
  ]);
});

test('what is not accepted anyway is not asked for signatures', async () => {
  const add = await openSignatureCheck(
    { policy: 'require', trustedKeys: keySet },
    { clock, log: noLog },
  );
  const refusing: PlaybookCheck = () => ({ ok: false, findings: [missingExit] });

  expect(add(refusing)('no playbook')).toEqual({ ok: false, findings: [missingExit] });
});

describe('trusted keys that are none stop the start', () => {
  const privateJwk = privateKey.export({ format: 'jwk' });

  test.each([
    ['a file that is not there', join(directory, 'nothing.json'), /cannot be read/],
    ['no JSON', '{', /not JSON/],
    ['no key set', '{"kty":"OKP"}', /not a JSON web key set/],
    ['no keys', '{"keys":[]}', /holds no key/],
    ['something else among them', '{"keys":[7]}', /not a JSON web key set/],
    ['an unknown kind of key', '{"keys":[{"kty":"XYZ"}]}', /key 1 cannot be used/],
    ['a private key', JSON.stringify({ keys: [jwk, privateJwk] }), /key 2 is not public/],
    ['a shared secret', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}', /key 1 is not public/],
  ])('%s', async (_, setting, reason) => {
    await expect(open('require', setting)).rejects.toThrow(reason);
    await expect(open('require', setting)).rejects.toThrow(/PLAYBOOK_TRUSTED_KEYS/);
  });

  test('without telling what they are', async () => {
    const setting = JSON.stringify({ keys: [privateJwk] });

    await expect(open('require', setting)).rejects.not.toThrow(privateJwk.d);
  });
});
