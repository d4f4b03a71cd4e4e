/** Group mode against an issuer that signs whatever a test asks for. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../../core/access/permissions.ts';
import type { JsonObject } from '../../../core/json.ts';
import { createAccess } from '../../../infra/identity/create-access.ts';
import { inSeconds, startTokenPeer, type TokenPeer } from '../../peers/oidc/token-peer.ts';
import { recordingLog } from '../../support/recording-log.ts';

let peer: TokenPeer;
let access: Access;
let nowMs: number;
let log: ReturnType<typeof recordingLog>;

beforeAll(async () => {
  peer = await startTokenPeer();
});
afterAll(() => peer.close());
beforeEach(async () => {
  peer.answerWith(undefined);
  nowMs = Date.now();
  access = await anAccess();
});

function anAccess(issuer = peer.url): Promise<Access> {
  log = recordingLog();
  const group = {
    issuer,
    clientId: 'theobroma',
    group: 'soc',
    groupsClaim: 'groups',
    skipTlsVerify: true,
  };
  const clock = { now: () => nowMs };
  return createAccess({ group, appRole: undefined }, { clock, log: log.log });
}

const member = (): JsonObject => ({
  iss: peer.url,
  aud: 'theobroma',
  sub: 'user-1',
  preferred_username: 'ada',
  exp: inSeconds(300),
  groups: ['soc'],
});
const identify = async (token: string | Promise<string>) =>
  access.identify(`Bearer ${await token}`);
const refused = (reason: RegExp) => ({
  code: 'token-invalid',
  status: 401,
  message: expect.stringMatching(reason),
  extra: { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
});
const away = { code: 'identity-provider-away', status: 503 };

test('a member of the group is known by name and may do everything', async () => {
  const caller = await identify(peer.sign(member()));

  expect(caller).toMatchObject({ name: 'ada', id: 'user-1' });
  expect(caller.permissions.has('admin')).toBe(true);
});

test('somebody outside the group is known, and may do nothing', async () => {
  const caller = await identify(peer.sign({ ...member(), groups: ['other'] }));

  expect(caller).toMatchObject({ name: 'ada', permissions: new Set() });
});

test('metadata and keys are fetched once for many tokens', async () => {
  const fresh = await startTokenPeer();
  access = await anAccess(fresh.url);
  const token = await fresh.sign({ ...member(), iss: fresh.url });

  await Promise.all(Array.from({ length: 20 }, () => identify(token)));

  expect(fresh.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  await fresh.close();
});

describe('forged tokens', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('without a signature', async () => {
    const unsigned = `${part({ alg: 'none' })}.${part(member())}.`;

    await expect(identify(unsigned)).rejects.toMatchObject(refused(/algorithm/));
  });

  test('signed with the public key as if it were a shared secret', async () => {
    const { publicKeyPem } = await import('./public-key-pem.ts');
    const secret = new TextEncoder().encode(publicKeyPem(peer.publicKey()));
    const header = { alg: 'HS256' };

    await expect(identify(peer.sign(member(), { header, key: secret }))).rejects.toMatchObject(
      refused(/algorithm/),
    );
  });

  test('signed by somebody else under the name of the right key', async () => {
    const other = await startTokenPeer();
    const header = { kid: peer.publicKey().kid ?? '' };
    const forged = await other.sign(member(), { header });
    await other.close();

    await expect(identify(forged)).rejects.toMatchObject(refused(/signature/));
  });

  test('that bring their own key', async () => {
    const other = await startTokenPeer();
    const header = { kid: 'mine', jwk: other.publicKey() as JsonObject, jku: `${other.url}/jwks` };
    const forged = await other.sign(member(), { header });

    await expect(identify(forged)).rejects.toMatchObject(refused(/no such key/));
    expect(other.asked).toEqual([]);
    await other.close();
  });

  test('whose claims were changed after signing', async () => {
    const [header, , signature] = (await peer.sign(member())).split('.');
    const changed = `${header}.${part({ ...member(), groups: ['soc'], sub: 'root' })}.${signature}`;

    await expect(identify(changed)).rejects.toMatchObject(refused(/signature/));
  });

  test('with an algorithm the provider does not advertise', async () => {
    peer.answerWith({ discovery: { id_token_signing_alg_values_supported: ['ES256', 'HS256'] } });
    access = await anAccess();

    await expect(identify(peer.sign(member()))).rejects.toMatchObject(refused(/algorithm/));
  });

  test.each([
    ['claims that are no JSON', 'eyJhbGciOiJSUzI1NiJ9.bm8.c2ln'],
    ['claims that are a list', 'eyJhbGciOiJSUzI1NiJ9.W10.c2ln'],
    ['a header that is no JSON', `bm8.${part({})}.c2ln`],
  ])('with %s', async (_, token) => {
    await expect(identify(token)).rejects.toMatchObject({ code: 'token-invalid' });
  });

  test('that ask for an extension nobody knows', async () => {
    const token = peer.sign(member(), { header: { crit: ['b64'], b64: true } });

    await expect(identify(token)).rejects.toMatchObject({ code: 'token-invalid' });
  });
});

describe('times', () => {
  test('an expired token is refused, the more so the later', async () => {
    const token = await peer.sign({ ...member(), exp: inSeconds(0) });

    await expect(identify(token)).resolves.toBeDefined();
    nowMs += 61_000;
    await expect(identify(token)).rejects.toMatchObject(refused(/expired/));
  });

  test('a token for later is refused until then', async () => {
    const token = await peer.sign({ ...member(), nbf: inSeconds(120) });

    await expect(identify(token)).rejects.toMatchObject(refused(/not valid yet/));
    nowMs += 61_000;
    await expect(identify(token)).resolves.toBeDefined();
  });
});

describe('keys', () => {
  test('a new key is fetched at once, and the old one is good no more', async () => {
    const old = await peer.sign(member());
    await identify(old);
    await peer.rotate();

    await expect(identify(peer.sign(member()))).resolves.toBeDefined();
    await expect(identify(old)).rejects.toMatchObject(refused(/no such key/));
  });

  test('unknown keys make the service ask once a minute, however many there are', async () => {
    await identify(peer.sign(member()));
    const before = peer.asked.length;

    for (let count = 0; count < 10; count += 1) {
      const token = peer.sign(member(), { header: { kid: `unknown-${count}` } });
      await expect(identify(token)).rejects.toMatchObject(refused(/no such key/));
    }

    expect(peer.asked.length - before).toBe(1);
  });

  test('a rotation within that minute is seen when it has passed', async () => {
    await identify(peer.sign(member(), {}));
    const unknown = peer.sign(member(), { header: { kid: 'unknown' } });
    await identify(unknown).catch(() => {});
    await peer.rotate();
    const fresh = await peer.sign(member());

    await expect(identify(fresh)).rejects.toMatchObject(refused(/no such key/));
    nowMs += 60_000;
    await expect(identify(fresh)).resolves.toBeDefined();
  });
});

describe('a provider that cannot be asked', () => {
  test('keeps everybody out until it is back', async () => {
    peer.answerWith({ status: 500 });
    access = await anAccess();
    const token = await peer.sign(member());

    await expect(identify(token)).rejects.toMatchObject(away);
    peer.answerWith(undefined);
    nowMs += 1000;
    await expect(identify(token)).resolves.toBeDefined();
    expect(log.lines.map(({ event }) => event)).toContain('identity.provider-back');
  });

  test('does not stop who needs no new keys', async () => {
    const token = await peer.sign(member());
    await identify(token);
    peer.answerWith({ status: 500 });

    await expect(identify(token)).resolves.toBeDefined();
    const unknown = peer.sign(member(), { header: { kid: 'unknown' } });
    await expect(identify(unknown)).rejects.toMatchObject(away);
  });

  test.each([
    ['calls itself differently', { discovery: { issuer: 'https://idp.example' } }],
    ['names no keys', { discovery: { jwks_uri: 7 } }],
    ['keeps its keys in an unsafe place', { discovery: { jwks_uri: 'http://keys.example/jwks' } }],
    ['sends no keys', { body: { keys: 7 } }],
    ['sends no object', { body: [] }],
  ])('is one that %s', async (_, answer) => {
    peer.answerWith(answer);
    access = await anAccess();

    await expect(identify(peer.sign(member()))).rejects.toMatchObject(away);
    expect(log.lines[0]).toMatchObject({ level: 'error', event: 'identity.provider-away' });
  });

  test('is told apart by a single slash', async () => {
    access = await anAccess(`${peer.url}/`);

    await expect(identify(peer.sign(member()))).rejects.toMatchObject(away);
  });
});
