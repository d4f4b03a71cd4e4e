/** Signed playbooks from outside: what a service that requires signatures stores and executes. */

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../core/cacao/signatures/canonical-json.ts';
import type { JsonObject } from '../../core/json.ts';
import { aPlaybook, end, start } from '../support/a-playbook.ts';
import { type Client, clientOf } from '../support/client.ts';
import { restartService, type Service, startService } from '../support/service.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const trusted = {
  PLAYBOOK_SIGNATURES: 'require',
  PLAYBOOK_TRUSTED_KEYS: JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }),
};

let service: Service;
let ask: Client;
beforeAll(async () => {
  service = await startService({ environment: trusted });
  ask = clientOf(service.url);
});
afterAll(() => service.dispose());

const unsigned = (name: string) => aPlaybook(name, { start: start('end'), end });

function signed(name: string): JsonObject {
  const playbook = unsigned(name);
  const signature = {
    type: 'jss',
    id: 'jss--af892292-c4b4-47eb-9be6-4897ff4b9388',
    created_by: 'identity--5abe695c-7bd5-4c31-8824-2528696cdbf1',
    created: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    signee: 'Example Company',
    related_to: playbook['id'] ?? '',
    related_version: playbook['modified'] ?? '',
    hash_algorithm: 'sha-256',
    algorithm: 'Ed25519',
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
  const form = canonicalJson({ ...playbook, signatures: [signature] });
  const digits = createHash('sha256').update(form).digest('hex');
  const value = sign(null, Buffer.from(digits), privateKey).toString('base64url');
  return { ...playbook, signatures: [{ ...signature, value }] };
}

test('a signed playbook is stored, given back as it was, and executed', async () => {
  const playbook = signed('signed');

  expect((await ask('POST', '/playbook', { body: playbook })).status).toBe(201);
  expect((await ask('GET', `/playbook/${playbook['id']}`)).json).toEqual(playbook);
  expect((await ask('POST', `/trigger/playbook/${playbook['id']}`)).status).toBe(200);
  expect((await ask('POST', '/trigger/playbook', { body: signed('ad hoc') })).status).toBe(200);
});

test('an unsigned or changed playbook is neither stored nor executed', async () => {
  const changed = { ...signed('changed'), name: 'something else' };

  for (const body of [unsigned('unsigned'), changed]) {
    expect((await ask('POST', '/playbook', { body })).status).toBe(400);
    const triggered = await ask('POST', '/trigger/playbook', { body });
    expect([triggered.status, triggered.json.findings.at(-1).rule]).toEqual([
      400,
      expect.stringMatching(/^signature-/),
    ]);
  }
});

test('validation tells about signatures too', async () => {
  const { json } = await ask('POST', '/validation', { body: unsigned('unsigned') });

  expect(json.valid).toBe(false);
  expect(json.findings).toContainEqual(
    expect.objectContaining({ rule: 'signature-missing', severity: 'error' }),
  );
});

test('what was stored before signatures were required is not executed', async () => {
  const before = await startService();
  const body = unsigned('before');
  await clientOf(before.url)('POST', '/playbook', { body });
  await before.stop();
  const after = await restartService(before, trusted);

  const { status } = await clientOf(after.url)('POST', `/trigger/playbook/${body['id']}`);

  expect(status).toBe(400);
  await after.dispose();
});
