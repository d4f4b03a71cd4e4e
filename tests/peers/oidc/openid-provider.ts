/**
 * A real OpenID provider on the loopback (the oidc-provider package). People log in through the
 * authorization code flow and get ID tokens, service accounts get access tokens by client credentials.
 */

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export type OpenIdProvider = {
  readonly issuer: string;
  /** An ID token for the service, as the browser of `person` gets it. */
  readonly logIn: (person: string) => Promise<string>;
  /** An access token for the service, as a service account gets it. */
  readonly serviceToken: () => Promise<string>;
  readonly close: () => Promise<void>;
};

export const clientId = 'theobroma';
const redirectUri = 'https://front.example/callback';

/** Groups by person; the service account is the person named like its client. */
export async function startOpenIdProvider(
  groups: Readonly<Record<string, readonly string[]>>,
): Promise<OpenIdProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let person = '';
  const provider = new Provider(issuer, await configuration(groups, issuer));
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      void finishInteraction(provider, request, response, person);
    } else callback(request, response);
  });
  return {
    issuer,
    async logIn(name) {
      person = name;
      return logIn(issuer);
    },
    serviceToken: () =>
      tokenOf(issuer, { grant_type: 'client_credentials', scope: 'api' }, 'access_token'),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function configuration(groups: Readonly<Record<string, readonly string[]>>, issuer: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: 'not-a-real-secret',
        grant_types: ['authorization_code', 'client_credentials'],
        redirect_uris: [redirectUri],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'provider-key', use: 'sig' }] },
    cookies: { keys: ['only-for-tests'] },
    // Said in so many words, because the provider writes a notice about every one left out.
    ttl: {
      ...{ ClientCredentials: 600, AccessToken: 600, IdToken: 600 },
      ...{ Interaction: 600, Grant: 600, Session: 600 },
    },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    findAccount: async (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, groups: groups[sub] ?? [] }),
    }),
    extraTokenClaims: () => ({ groups: groups[clientId] ?? [] }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context: unknown, client: { clientId: string }, oneOf?: unknown) =>
          oneOf ?? (client ? `${issuer}/api` : undefined),
        useGrantedResource: () => false,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: clientId,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    pkce: { required: () => true },
  };
}

/** What a person does in a browser: follow redirects, keep cookies, come back with a code. */
async function logIn(issuer: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const cookies = new Map<string, string>();
  let url = `${issuer}/auth?${query}`;
  for (let hops = 0; hops < 10 && url.startsWith(issuer); hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    url = new URL(location, issuer).href;
  }
  const code = new URL(url).searchParams.get('code');
  if (code === null) throw new Error(`The provider gave no code: ${url}`);
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  return tokenOf(issuer, { ...grant, code_verifier: verifier }, 'id_token');
}

async function finishInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  accountId: string,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}

async function tokenOf(
  issuer: string,
  grant: Readonly<Record<string, string>>,
  wanted: 'access_token' | 'id_token',
): Promise<string> {
  const credentials = Buffer.from(`${clientId}:not-a-real-secret`).toString('base64');
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams(grant),
  });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  const token = answer[wanted];
  if (typeof token !== 'string') throw new Error(JSON.stringify(answer));
  return token;
}
