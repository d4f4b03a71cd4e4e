/** Who may call what: the started service behind a directory with app roles. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRoles, permissionsOf } from '../../core/access/app-roles.ts';
import { routes } from '../../functions/http/routes.ts';
import { publicKeyPem } from '../infra/identity/public-key-pem.ts';
import { inSeconds } from '../peers/oidc/token-peer.ts';
import { type Client, clientOf, type Reply, until } from '../support/client.ts';
import { type Directory, startDirectory } from '../support/directory-tokens.ts';
import { type Service, startService } from '../support/service.ts';

let directory: Directory;
let service: Service;
let ask: Client;

beforeAll(async () => {
  directory = await startDirectory();
  service = await startService({ environment: directory.environment });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await directory.peer.close();
});

const status = (reply: Reply) => reply.status;
const uuid = '00000000-0000-4000-8000-000000000000';
/** Something that is not there, so that nothing happens to those who may. */
const addressOf = (path: string) => `/${path.replace(/\{\w+\}/g, uuid)}`;
const calls = routes.map(({ method, path, needs }) => ({ method, path: addressOf(path), needs }));
const outcome = ({ status, json }: Reply) =>
  status === 401 || status === 403 ? [status, json?.status] : 'served';

describe('the matrix of endpoints and roles', () => {
  test('has all endpoints', () => {
    expect(calls.length).toBeGreaterThan(35);
  });

  test.each(appRoles)('%s', async (role) => {
    const headers = await directory.headers([role]);
    const granted = permissionsOf([role]);

    for (const { method, path, needs } of calls) {
      const allowed = needs === 'any-role' || needs === 'open' || granted.has(needs);
      const reply = await ask(method, path, { headers });
      expect([method, path, outcome(reply)]).toEqual([
        method,
        path,
        allowed ? 'served' : [403, '403'],
      ]);
    }
  });

  test('a caller without a role of this service', async () => {
    for (const roles of [[], ['Else.Where'], ['playbook.read']]) {
      const headers = await directory.headers(roles);
      for (const { method, path } of calls) {
        const reply = await ask(method, path, { headers });
        expect([method, path, outcome(reply)]).toEqual([method, path, [403, '403']]);
      }
    }
  });

  test('a caller without a token', async () => {
    for (const { method, path } of calls) {
      const reply = await ask(method, path);
      expect([method, path, outcome(reply)]).toEqual([method, path, [401, '401']]);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('HEAD, a trailing slash and another case do not get around it', async () => {
    const headers = await directory.headers(['Playbook.Read']);

    expect(status(await ask('HEAD', '/playbook'))).toBe(401);
    expect(status(await ask('GET', '/playbook/'))).toBe(401);
    expect(status(await ask('GET', '/PLAYBOOK'))).toBe(401);
    expect(status(await ask('GET', '//playbook'))).toBe(401);
    expect(status(await ask('POST', '/Trigger/Playbook/', { headers }))).toBe(403);
    expect(
      status(await ask('POST', '/playbook', { headers: { 'x-http-method-override': 'GET' } })),
    ).toBe(401);
  });

  test('who may not ask does not learn which paths exist', async () => {
    const headers = await directory.headers(['Playbook.Read']);
    const nobody = await directory.headers([]);

    for (const path of ['/nothing', '/%', '/runtime/webhooks/durabletask', '/admin/host/status']) {
      expect([path, status(await ask('GET', path))]).toEqual([path, 401]);
    }
    expect(status(await ask('GET', '/nothing', { headers: nobody }))).toBe(403);
    expect(status(await ask('GET', '/nothing', { headers }))).toBe(404);
    expect(status(await ask('PATCH', '/playbook'))).toBe(401);
    expect(status(await ask('PATCH', '/playbook', { headers }))).toBe(405);
  });
});

describe('401', () => {
  test('has the general error object as its body', async () => {
    const without = await ask('GET', '/playbook');
    const headers = await directory.headers(['Playbook.Read'], { exp: inSeconds(-61) });
    const expired = await ask('GET', '/playbook', { headers });

    expect(without.json).toEqual({
      status: '401',
      message: 'The request needs a valid bearer token.',
      'original-call': 'GET /playbook',
    });
    expect(expired.json).toEqual({
      status: '401',
      message: 'The bearer token is not accepted: it has expired.',
      'original-call': 'GET /playbook',
    });
    expect(expired.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  test('can be read by browsers of other origins, and a preflight needs no token', async () => {
    const origin = 'https://front.example';
    const refused = await ask('GET', '/playbook', { headers: { origin } });
    const preflight = await ask('OPTIONS', '/playbook', {
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });

    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      '*',
    ]);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer opaque', 'bearer a.b.c', ''])(
    'answers the header %j',
    async (authorization) => {
      expect(status(await ask('GET', '/status/ping', { headers: { authorization } }))).toBe(401);
    },
  );

  test('answers a token anywhere but in the header', async () => {
    const { authorization } = await directory.headers(['Service.Admin']);
    const token = authorization.replace('Bearer ', '');

    expect(status(await ask('GET', `/playbook?access_token=${token}`))).toBe(401);
    expect(status(await ask('GET', '/playbook', { headers: { cookie: `token=${token}` } }))).toBe(
      401,
    );
  });
});

describe('forged and unfit tokens', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const admin = ['Service.Admin'];
  const get = async (headers: Promise<{ authorization: string }> | { authorization: string }) =>
    status(await ask('GET', '/playbook', { headers: await headers }));

  test.each<[string, Record<string, string | number | null>]>([
    ['expired', { exp: inSeconds(-61) }],
    ['without an end', { exp: null }],
    ['for later', { nbf: inSeconds(120) }],
    ['of another tenant', { tid: uuid }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another audience', { aud: '00000003-0000-0000-c000-000000000000' }],
    ['of version 1', { ver: '1.0' }],
    ['of a user without the scope', { idtyp: 'user', scp: 'openid' }],
  ])('a token %s', async (_, changes) => {
    expect(await get(directory.headers(admin, changes))).toBe(401);
  });

  test('no signature, a shared secret, a key nobody knows, the key of somebody else', async () => {
    const unsigned = `Bearer ${part({ alg: 'none' })}.${part(directory.claims(admin))}.`;
    const key = new TextEncoder().encode(publicKeyPem(directory.peer.publicKey()));
    const other = await startDirectory();
    const header = { kid: directory.peer.publicKey().kid ?? '' };
    const claims = directory.claims(admin);

    expect(await get({ authorization: unsigned })).toBe(401);
    expect(await get(directory.headers(admin, {}, { header: { alg: 'HS256' }, key }))).toBe(401);
    expect(await get(directory.headers(admin, {}, { header: { kid: 'unknown' } }))).toBe(401);
    expect(await get(other.headers(admin, claims, { header }))).toBe(401);
    await other.peer.close();
  });

  test('a token with many groups is accepted, a huge one refused early', async () => {
    const groups = (count: number) => Array.from({ length: count }, () => uuid);

    expect(await get(directory.headers(admin, { groups: groups(200) }))).toBe(200);
    expect([401, 431]).toContain(await get(directory.headers(admin, { groups: groups(400) })));
  });

  test('rotated keys are taken up at once', async () => {
    expect(await get(directory.headers(admin))).toBe(200);
    // An unknown key was asked for in this minute already; only a fresh service asks again at once.
    const fresh = await startService({ environment: directory.environment });
    const list = async () =>
      status(
        await clientOf(fresh.url)('GET', '/playbook', { headers: await directory.headers(admin) }),
      );

    expect(await list()).toBe(200);
    await directory.peer.rotate();
    expect(await list()).toBe(200);
    await fresh.dispose();
  });
});

test('while the directory is away nobody is served, and the service recovers by itself', async () => {
  const away = await startDirectory();
  away.peer.answerWith({ status: 500 });
  const waiting = await startService({ environment: away.environment });
  const list = async () =>
    clientOf(waiting.url)('GET', '/playbook', { headers: await away.headers(['Playbook.Read']) });

  expect(await list()).toMatchObject({ status: 503, json: { status: '503' } });
  expect(status(await clientOf(waiting.url)('GET', '/playbook'))).toBe(401);
  away.peer.answerWith(undefined);
  expect(status(await until(list, ({ status }) => status !== 503))).toBe(200);

  await waiting.dispose();
  await away.peer.close();
});

test('without AUTH_ENABLED everybody may do everything', async () => {
  const open = await startService();
  const list = await clientOf(open.url)('GET', '/playbook', {
    headers: { authorization: 'Bearer nonsense' },
  });

  expect(status(list)).toBe(200);
  await open.dispose();
});
