/** Which credentials go with a request, and where they never go. */

import { afterEach, describe, expect, test } from 'vitest';
import type { AuthenticationInfo } from '../../../../core/cacao/playbook.ts';
import type { Invocation } from '../../../../core/ports/capability.ts';
import {
  type Answer,
  type HttpPeer,
  type SeenRequest,
  startHttpPeer,
  valuesOf,
} from '../../../peers/http/http-peer.ts';
import { anInvocation, aTarget, perform } from './an-invocation.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function aPeer(answer: (request: SeenRequest) => Answer = () => ({})): Promise<HttpPeer> {
  const peer = await startHttpPeer(answer);
  peers.push(peer);
  return peer;
}

async function sentWith(authentication: AuthenticationInfo, parts: Partial<Invocation> = {}) {
  const peer = await aPeer();
  const outcome = await perform(
    anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', { authentication, ...parts }),
  );
  return {
    outcome,
    seen: peer.requests[0],
    authorization: valuesOf(peer.requests[0], 'authorization'),
  };
}

function basicOf(text: string): string {
  return `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;
}

describe('http-basic', () => {
  test('sends user id and password', async () => {
    const info = { type: 'http-basic', user_id: 'opérateur', password: 'p:ss wörd' };

    expect((await sentWith(info)).authorization).toEqual([basicOf('opérateur:p:ss wörd')]);
  });

  test('takes the username where there is no user id', async () => {
    const info = { type: 'http-basic', user_id: '', username: 'u', password: '' };

    expect((await sentWith(info)).authorization).toEqual([basicOf('u:')]);
  });

  test('replaces an Authorization header of the command', async () => {
    const headers = { authorization: ['Bearer stale'] };
    const info = { type: 'http-basic', user_id: 'u', password: 'p' };

    const { authorization } = await sentWith(info, { command: { type: 'http-api', headers } });

    expect(authorization).toEqual([basicOf('u:p')]);
  });

  test.each([
    ['', 'The user name of the authentication is empty.'],
    ['a:b', 'The user name of the authentication holds a colon.'],
  ])('with the user name "%s" is refused', async (user_id, error) => {
    const { outcome, seen } = await sentWith({ type: 'http-basic', user_id, password: 'p' });

    expect(outcome).toEqual({ ok: false, status: 'client_side_error', error });
    expect(seen).toBeUndefined();
  });

  test('that is wrong fails the command', async () => {
    const right = basicOf('u:right');
    const peer = await aPeer((request) =>
      valuesOf(request, 'authorization')[0] === right ? {} : { status: 401, body: 'who are you' },
    );
    const with_ = (password: string) =>
      perform(
        anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', {
          authentication: { type: 'http-basic', user_id: 'u', password },
        }),
      );

    expect(await with_('wrong')).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'HTTP 401 who are you',
    });
    expect(await with_('right')).toMatchObject({ ok: true });
  });
});

test('user-auth is sent like http-basic', async () => {
  const info = { type: 'user-auth', username: 'u', password: 'p' };

  expect((await sentWith(info)).authorization).toEqual([basicOf('u:p')]);
});

describe('oauth2', () => {
  test.each(['', 'Bearer', 'Authorization', 'Authorization: Bearer', 'authorization:Bearer'])(
    'sends its token as a bearer when oauth_header is "%s"',
    async (oauth_header) => {
      const { authorization } = await sentWith({ type: 'oauth2', oauth_header, token: ' t0ken ' });

      expect(authorization).toEqual(['Bearer t0ken']);
    },
  );

  test.each([
    ['X-Auth-Token', 'x-auth-token', 't0ken'],
    ['X-Auth: Token', 'x-auth', 'Token t0ken'],
    ['Authorization: GenieKey', 'authorization', 'GenieKey t0ken'],
  ])('sends its token where oauth_header says "%s"', async (oauth_header, name, value) => {
    const { seen } = await sentWith({ type: 'oauth2', oauth_header, token: 't0ken' });

    expect(valuesOf(seen, name)).toEqual([value]);
    expect(valuesOf(seen, 'authorization')).toHaveLength(name === 'authorization' ? 1 : 0);
  });

  test.each([
    [{ token: '' }, 'The token of the oauth2 authentication is empty.'],
    [{}, 'The token of the oauth2 authentication is empty.'],
    [{ token: 'a\r\nX: 1' }, 'The token of the oauth2 authentication holds a line break.'],
  ])('without a usable token is refused: %j', async (parts, error) => {
    const { outcome, seen } = await sentWith({ type: 'oauth2', ...parts });

    expect(outcome).toEqual({ ok: false, status: 'client_side_error', error });
    expect(seen).toBeUndefined();
  });
});

describe('authentication', () => {
  test('of an empty type is none', async () => {
    expect(await sentWith({ type: '' })).toMatchObject({
      outcome: { ok: true },
      authorization: [],
    });
  });

  test('of an unsupported type is refused', async () => {
    const { outcome, seen } = await sentWith({ type: 'private-key', private_key: 'k' });

    expect(outcome).toEqual({
      ok: false,
      status: 'client_side_error',
      error: 'The authentication type private-key is not supported.',
    });
    expect(seen).toBeUndefined();
  });

  test('is taken from the url where nothing else authenticates', async () => {
    const peer = await aPeer();
    const url = [`http://u%40h:p%3A@127.0.0.1:${peer.port}/`];
    const target = aTarget(0, { address: { url } });

    await perform(anInvocation(target, 'GET / HTTP/1.1'));
    await perform(
      anInvocation(target, 'GET / HTTP/1.1', {
        command: { type: 'http-api', headers: { Authorization: ['own'] } },
      }),
    );

    expect(peer.requests.map((request) => valuesOf(request, 'authorization'))).toEqual([
      [basicOf('u@h:p:')],
      ['own'],
    ]);
    expect(peer.requests[0]?.url).toBe('/');
  });

  test('is not carried to another host by a path that is a URL', async () => {
    const elsewhere = await aPeer();
    const target = aTarget(0, { address: { dname: ['own.invalid'] } });
    const command = `GET http://127.0.0.1:${elsewhere.port}/ HTTP/1.1`;

    const outcome = await perform(
      anInvocation(target, command, {
        authentication: { type: 'http-basic', user_id: 'u', password: 'p' },
      }),
    );

    expect(outcome).toEqual({
      ok: false,
      status: 'client_side_error',
      error:
        'The authentication does not belong to the target: the URL in the command leads to another host.',
    });
    expect(elsewhere.requests).toEqual([]);
    expect(await perform(anInvocation(target, command))).toMatchObject({ ok: true });
  });

  test('goes along when the URL leads to the target itself', async () => {
    const peer = await aPeer();
    const target = aTarget(0, { address: { ipv4: ['127.0.0.1'] }, port: '443' });

    const outcome = await perform(
      anInvocation(target, `GET http://127.0.0.1:${peer.port}/ HTTP/1.1`, {
        authentication: { type: 'http-basic', user_id: 'u', password: 'p' },
      }),
    );

    expect(outcome).toMatchObject({ ok: true });
    expect(valuesOf(peer.requests[0], 'authorization')).toEqual([basicOf('u:p')]);
  });

  test('that a target sends back is masked in the error', async () => {
    const peer = await aPeer((request) => ({
      status: 400,
      body: `bad header ${valuesOf(request, 'authorization')[0]}`,
    }));

    const outcome = await perform(
      anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', {
        authentication: { type: 'http-basic', user_id: 'user', password: 'password' },
      }),
    );

    expect(outcome).toMatchObject({ error: 'HTTP 400 bad header Basic ***' });
  });
});
