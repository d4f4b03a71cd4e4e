/** Tokens from a real token endpoint over TLS, and what http-api does with them. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createMsalTokenSource,
  type MsalTokenSourceOptions,
} from '../../../../infra/capabilities/oauth2/msal-token-source.ts';
import type { ClientCredentialsGrant } from '../../../../infra/capabilities/oauth2/token-grant.ts';
import {
  type Answer,
  type HttpPeer,
  startHttpPeer,
  valuesOf,
} from '../../../peers/http/http-peer.ts';
import { startRawPeer } from '../../../peers/http/raw-peer.ts';
import { anInvocation, aTarget, perform, timeIsUp } from '../http-api/an-invocation.ts';

const peers: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const peer of peers.splice(0)) await peer.close();
});

/** Gives out t1, t2, ... to the client with the right secret. */
async function aTokenEndpoint(): Promise<HttpPeer> {
  let given = 0;
  const peer = await startHttpPeer(
    ({ body }): Answer => {
      const form = new URLSearchParams(body.toString());
      const headers = { 'Content-Type': 'application/json' };
      if (
        form.get('grant_type') !== 'client_credentials' ||
        form.get('client_secret') !== 'right'
      ) {
        const refusal = { error: 'invalid_client', error_description: 'Not you with wrong-one.' };
        return { status: 401, headers, body: JSON.stringify(refusal) };
      }
      given += 1;
      const token = { access_token: `t${given}`, token_type: 'Bearer', expires_in: 3600 };
      return { headers, body: JSON.stringify(token) };
    },
    { tls: true },
  );
  peers.push(peer);
  return peer;
}

function aGrant(port: number, clientSecret = 'right'): ClientCredentialsGrant {
  return {
    kind: 'client-credentials',
    tokenUrl: new URL(`https://127.0.0.1:${port}/oauth2/v2.0/token`),
    clientId: 'client',
    clientSecret,
    scopes: ['api://a/.default'],
  };
}

function aSource(options: Partial<MsalTokenSourceOptions> = {}) {
  return createMsalTokenSource({ skipCertificateCheck: true, ...options });
}

const noEnd = new AbortController().signal;

describe('client credentials', () => {
  test('are exchanged for a token once, until it is forgotten', async () => {
    const peer = await aTokenEndpoint();
    const [source, grant] = [aSource(), aGrant(peer.port)];

    const first = await source.acquire(grant, noEnd);
    const again = await source.acquire(aGrant(peer.port), noEnd);
    source.forget(grant);
    const fresh = await source.acquire(grant, noEnd);

    expect([first, again, fresh]).toEqual([
      { ok: true, token: 't1' },
      { ok: true, token: 't1' },
      { ok: true, token: 't2' },
    ]);
    expect(peer.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      'POST /oauth2/v2.0/token',
      'POST /oauth2/v2.0/token',
    ]);
    const form = new URLSearchParams(peer.requests[0]?.body.toString());
    expect(form.get('client_id')).toBe('client');
    expect(form.get('scope')).toBe('api://a/.default');
  });

  test('that are wrong do not get the token of those that are right', async () => {
    const peer = await aTokenEndpoint();
    const source = aSource();
    await source.acquire(aGrant(peer.port), noEnd);

    expect(await source.acquire(aGrant(peer.port, 'wrong-one'), noEnd)).toEqual({
      ok: false,
      status: 'failed',
      reason: `No access token was given: https://127.0.0.1:${peer.port} refused: invalid_client Not you with ***.`,
    });
  });

  test('are not sent to an endpoint whose certificate nobody vouches for', async () => {
    const peer = await aTokenEndpoint();

    const reading = await aSource({ skipCertificateCheck: false }).acquire(
      aGrant(peer.port),
      noEnd,
    );

    expect(reading).toEqual({
      ok: false,
      status: 'failed',
      reason: `No access token was given: https://127.0.0.1:${peer.port} cannot be used: the certificate is self-signed.`,
    });
    expect(peer.requests).toEqual([]);
  });

  test.each([
    ['garbage', { body: '<html>' }, 'cannot be used: the answer is not JSON.'],
    ['a broken gateway', { status: 502, body: 'bad gateway' }, 'refused: bad gateway.'],
  ])('that meet %s get no token', async (_what, answer, reason) => {
    const peer = await startHttpPeer(() => answer, { tls: true });
    peers.push(peer);

    expect(await aSource().acquire(aGrant(peer.port), noEnd)).toEqual({
      ok: false,
      status: 'failed',
      reason: `No access token was given: https://127.0.0.1:${peer.port} ${reason}`,
    });
  });

  test('wait no longer than the endpoint is given', async () => {
    const silent = await startRawPeer();
    peers.push(silent);

    expect(
      await aSource({ requestTimeoutMs: 50 }).acquire(aGrant(silent.port), noEnd),
    ).toMatchObject({ ok: false, status: 'failed' });
  });

  test('wait no longer than the step', async () => {
    const silent = await startRawPeer();
    peers.push(silent);
    const step = new AbortController();

    const running = aSource().acquire(aGrant(silent.port), step.signal);
    await silent.asked;
    step.abort(timeIsUp());

    await expect(running).rejects.toBe(step.signal.reason);
  });
});

describe('the identity of the host', () => {
  test('is not lent to playbooks that were not allowed to use it', async () => {
    const grant = { kind: 'managed-identity', resource: 'https://vault.azure.net' } as const;

    expect(await aSource().acquire(grant, noEnd)).toEqual({
      ok: false,
      status: 'client_side_error',
      reason: 'Playbooks may not use the identity of the host for https://vault.azure.net.',
    });
  });

  test('is lent for the resources that were named', async () => {
    const peer = await startHttpPeer(() => ({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        access_token: 'mine',
        expires_on: '4102444800',
        token_type: 'Bearer',
      }),
    }));
    peers.push(peer);
    vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${peer.port}/msi/token`);
    vi.stubEnv('IDENTITY_HEADER', 'proof');
    const resource = 'https://vault.azure.net';
    const source = aSource({ managedIdentityResources: [resource] });

    const reading = await source.acquire({ kind: 'managed-identity', resource }, noEnd);

    expect(reading).toEqual({ ok: true, token: 'mine' });
    const asked = new URL(peer.requests[0]?.url ?? '', 'http://host');
    expect(asked.searchParams.get('resource')).toBe(resource);
    expect(valuesOf(peer.requests[0], 'x-identity-header')).toEqual(['proof']);
  });
});

describe('an http-api command', () => {
  function authenticated(peer: HttpPeer, tokenPort: number, clientSecret: string) {
    const members = {
      token_url: `https://127.0.0.1:${tokenPort}/token`,
      client_id: 'client',
      client_secret: clientSecret,
      scope: 'read',
    };
    const authentication = { type: 'oauth2', oauth_header: '', token: '', ...members };
    return anInvocation(aTarget(peer.port), 'GET / HTTP/1.1', { authentication });
  }

  test('carries an acquired token, and a new one after the target refused it', async () => {
    const endpoint = await aTokenEndpoint();
    const peer = await startHttpPeer((request) =>
      valuesOf(request, 'authorization')[0] === 'Bearer t1' ? { status: 401, body: 'old' } : {},
    );
    peers.push(peer);
    const tokens = aSource();
    const invocation = authenticated(peer, endpoint.port, 'right');

    expect(await perform(invocation, { tokens })).toMatchObject({ error: 'HTTP 401 old' });
    expect(await perform(invocation, { tokens })).toMatchObject({ ok: true });
    expect(await perform(invocation, { tokens })).toMatchObject({ ok: true });
    expect(peer.requests.map((request) => valuesOf(request, 'authorization')[0])).toEqual([
      'Bearer t1',
      'Bearer t2',
      'Bearer t2',
    ]);
  });

  test('without a token to be had is not sent', async () => {
    const endpoint = await aTokenEndpoint();
    const peer = await startHttpPeer(() => ({}));
    peers.push(peer);
    const invocation = authenticated(peer, endpoint.port, 'wrong-one');

    expect(await perform(invocation, { tokens: aSource() })).toMatchObject({ status: 'failed' });
    expect(await perform(invocation)).toEqual({
      ok: false,
      status: 'client_side_error',
      error: 'This service does not acquire oauth2 tokens.',
    });
    expect(peer.requests).toEqual([]);
  });
});
