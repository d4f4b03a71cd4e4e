/** App-role mode against a directory that signs whatever a test asks for, and both modes side by side. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../../core/access/permissions.ts';
import type { AppRoleAccessConfig, GroupAccessConfig } from '../../../core/config/config.ts';
import type { JsonObject } from '../../../core/json.ts';
import { createAccess } from '../../../infra/identity/create-access.ts';
import { inSeconds, startTokenPeer, type TokenPeer } from '../../peers/oidc/token-peer.ts';
import { noLog } from '../../support/no-log.ts';
import { publicKeyPem } from './public-key-pem.ts';

const tenant = '6a3b1f0c-0000-4000-8000-000000000001';
let peer: TokenPeer;
let access: Access;

beforeAll(async () => {
  peer = await startTokenPeer();
});
afterAll(() => peer.close());
beforeEach(async () => {
  peer.answerWith(undefined);
  access = await anAccess({});
});

function anAccess(
  changes: Partial<AppRoleAccessConfig>,
  group: GroupAccessConfig | undefined = undefined,
): Promise<Access> {
  const appRole = {
    tenantIds: [tenant],
    clientId: 'api-client',
    appIdUri: undefined,
    acceptV1: false,
    allowedClientIds: undefined,
    loginUrl: peer.url,
    ...changes,
  };
  return createAccess({ group, appRole }, { clock: { now: Date.now }, log: noLog });
}

const reader = (): JsonObject => ({
  iss: `${peer.url}/${tenant}/v2.0`,
  tid: tenant,
  aud: 'api-client',
  ver: '2.0',
  azp: 'client-1',
  idtyp: 'app',
  exp: inSeconds(300),
  roles: ['Playbook.Read'],
});
const identify = async (token: string | Promise<string>) =>
  access.identify(`Bearer ${await token}`);
const refused = (reason: RegExp) => ({
  code: 'token-invalid',
  message: expect.stringMatching(reason),
});

test('roles become permissions', async () => {
  const caller = await identify(peer.sign(reader()));

  expect(caller).toEqual({ id: 'client-1', permissions: new Set(['playbook:read']) });
});

test('keys are asked for when the first token comes, from the tenant of the token', async () => {
  const before = peer.asked.length;
  access = await anAccess({});
  expect(peer.asked.length).toBe(before);

  await identify(peer.sign(reader()));
  await identify(peer.sign(reader()));

  expect(peer.asked.slice(before)).toEqual([`/${tenant}/discovery/v2.0/keys`]);
});

test('a token cannot make the service ask for keys of a tenant that is not configured', async () => {
  const before = peer.asked.length;
  const tid = '../../evil';

  await expect(identify(peer.sign({ ...reader(), tid }))).rejects.toMatchObject(refused(/tenant/));
  expect(peer.asked.length).toBe(before);
});

test('every configured tenant has keys and an issuer of its own', async () => {
  const second = '6a3b1f0c-0000-4000-8000-000000000002';
  access = await anAccess({ tenantIds: [tenant, second] });
  const claims = { ...reader(), tid: second, iss: `${peer.url}/${second}/v2.0` };

  await expect(identify(peer.sign(claims))).resolves.toMatchObject({ id: 'client-1' });
  expect(peer.asked.at(-1)).toBe(`/${second}/discovery/v2.0/keys`);
  await expect(identify(peer.sign({ ...claims, tid: tenant }))).rejects.toMatchObject(
    refused(/another provider/),
  );
});

describe('only RS256 is accepted', () => {
  test.each(['RS384', 'PS256'])('not %s', async (alg) => {
    const { generateKeyPair } = await import('jose');
    const { privateKey } = await generateKeyPair(alg);
    const token = peer.sign(reader(), { header: { alg }, key: privateKey });

    await expect(identify(token)).rejects.toMatchObject(refused(/algorithm/));
  });

  test('not a shared secret made from the public key', async () => {
    const key = new TextEncoder().encode(publicKeyPem(peer.publicKey()));
    const token = peer.sign(reader(), { header: { alg: 'HS256' }, key });

    await expect(identify(token)).rejects.toMatchObject(refused(/algorithm/));
  });

  test('not none', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

    await expect(identify(`${part({ alg: 'none' })}.${part(reader())}.`)).rejects.toMatchObject(
      refused(/algorithm/),
    );
  });
});

test('the signature comes before the claims: a forged token does not learn what is wrong with them', async () => {
  const other = await startTokenPeer();
  const header = { kid: peer.publicKey().kid ?? '' };
  const forged = await other.sign({ ...reader(), aud: 'x', exp: 0 }, { header });
  await other.close();

  await expect(identify(forged)).rejects.toMatchObject(refused(/signature/));
});

test('keys may rotate', async () => {
  await identify(peer.sign(reader()));
  await peer.rotate();

  await expect(identify(peer.sign(reader()))).resolves.toBeDefined();
});

test('a directory that cannot be asked keeps everybody out until it is back', async () => {
  peer.answerWith({ status: 503 });
  let nowMs = Date.now();
  const appRole = { tenantIds: [tenant], clientId: 'api-client', loginUrl: peer.url };
  const rest = { appIdUri: undefined, acceptV1: false, allowedClientIds: undefined };
  const clock = { now: () => nowMs };
  access = await createAccess(
    { group: undefined, appRole: { ...appRole, ...rest } },
    { clock, log: noLog },
  );

  await expect(identify(peer.sign(reader()))).rejects.toMatchObject({ status: 503 });
  peer.answerWith(undefined);
  nowMs += 1000;
  await expect(identify(peer.sign(reader()))).resolves.toBeDefined();
});

describe('with both modes on', () => {
  let issuer: TokenPeer;
  beforeAll(async () => {
    issuer = await startTokenPeer();
  });
  afterAll(() => issuer.close());
  beforeEach(async () => {
    access = await anAccess(
      {},
      {
        issuer: issuer.url,
        clientId: 'theobroma',
        group: 'soc',
        groupsClaim: 'groups',
        skipTlsVerify: false,
      },
    );
  });
  const member = (): JsonObject => ({
    iss: issuer.url,
    aud: 'theobroma',
    sub: 'user-1',
    exp: inSeconds(300),
    groups: ['soc'],
  });

  test('each token is checked by the mode its issuer belongs to', async () => {
    await expect(identify(issuer.sign(member()))).resolves.toMatchObject({ id: 'user-1' });
    await expect(identify(peer.sign(reader()))).resolves.toMatchObject({ id: 'client-1' });
  });

  test('naming the issuer of the other mode does not help', async () => {
    const header = { kid: issuer.publicKey().kid ?? '' };

    await expect(identify(peer.sign(member(), { header }))).rejects.toMatchObject(
      refused(/signature/),
    );
    await expect(identify(issuer.sign(reader()))).rejects.toMatchObject({ status: 401 });
  });

  test('a token of neither is refused', async () => {
    const claims = { ...member(), iss: 'https://else.example' };

    await expect(identify(issuer.sign(claims))).rejects.toMatchObject({ code: 'token-invalid' });
  });
});
