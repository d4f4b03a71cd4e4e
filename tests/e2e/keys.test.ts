/** /keymanagement from outside. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'theobroma-keys-'));
  service = await startService({
    environment: { ENABLE_SSH_KMS: 'true', SSH_KMS_DIR: directory },
  });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  rmSync(directory, { recursive: true });
});

const pair = (type: 'ecdsa' | 'rsa' = 'ecdsa') =>
  ssh2.utils.generateKeyPairSync(type, { bits: type === 'rsa' ? 2048 : 256 });

test('a key is added once, listed, replaced and revoked, and its private part never answered', async () => {
  const key = pair();
  const body = { public: key.public, private: key.private };

  const added = await ask('PUT', '/keymanagement/web-1', { body });
  const again = await ask('PUT', '/keymanagement/web-1', { body });
  const replaced = await ask('PATCH', '/keymanagement/web-1', { body: pair('rsa') });
  const listed = await ask('GET', '/keymanagement/');
  const revoked = await ask('DELETE', '/keymanagement/web-1');
  const gone = await ask('DELETE', '/keymanagement/web-1');

  expect([added.status, added.json]).toEqual([200, {}]);
  expect([again.status, replaced.status, revoked.status, gone.status]).toEqual([
    409, 200, 200, 404,
  ]);
  expect(listed.json).toEqual(['web-1']);
  expect((await ask('GET', '/keymanagement')).json).toEqual([]);
  expect(readdirSync(join(directory, '.revoked')).toSorted()).toEqual([
    expect.stringMatching(/^web-1\.pub\.revoked_\d{8}T\d{6}Z$/),
    expect.stringMatching(/^web-1\.revoked_\d{8}T\d{6}Z$/),
  ]);
  expect(service.lines.join('\n')).toContain('key_revoked');
  expect(service.lines.join('\n')).not.toContain('PRIVATE KEY');
});

test('files are for the service only', async () => {
  const key = pair();
  await ask('PUT', '/keymanagement/private-1', { body: key });

  const { mode } = statSync(join(directory, 'private-1'));
  expect(mode & 0o777).toBe(0o600);
  expect(readFileSync(join(directory, 'private-1'), 'utf8')).toContain('PRIVATE KEY');
});

test('keys others put in place are seen after a refresh, which names what is no key', async () => {
  execFileSync(
    'sh',
    [
      '-c',
      `cp private-1 copied && cp private-1.pub copied.pub && echo x > bad.pub && echo y > bad`,
    ],
    {
      cwd: directory,
    },
  );

  const refreshed = await ask('POST', '/keymanagement/refresh');

  expect(refreshed.json.loaded).toEqual(['copied', 'private-1']);
  expect(refreshed.json.problems[0].name).toBe('bad');
});

test.each([
  ['PUT', '/keymanagement/..%2fescape', 400],
  ['PUT', '/keymanagement/name.pub', 400],
  ['DELETE', '/keymanagement/%2e%2e', 404],
  ['PATCH', '/keymanagement/unknown', 404],
  ['PUT', '/keymanagement/not-a-key', 400],
])('%s %s is refused', async (method, path, status) => {
  const key = pair();
  const isKey = !path.endsWith('not-a-key');
  const body = isKey ? key : { public: 'ssh-rsa AAAA', private: 'none' };

  const answer = await ask(method, path, { body });

  expect(answer.status).toBe(status);
  expect(answer.json.status).toBe(String(status));
});

test('without key management the endpoints are 404', async () => {
  const other = await startService();

  const answer = await clientOf(other.url)('GET', '/keymanagement');

  expect(answer.status).toBe(404);
  expect(answer.json.message).toContain('not enabled');
  await other.dispose();
});
