/** The started service behind a real OpenID provider: one group governs all endpoints. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../functions/http/routes.ts';
import {
  clientId,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../peers/oidc/openid-provider.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let provider: OpenIdProvider;
let service: Service;
let ask: Client;

beforeAll(async () => {
  provider = await startOpenIdProvider({
    ada: ['staff', 'soc'],
    bob: ['staff'],
    [clientId]: ['soc'],
  });
  service = await startService({
    environment: {
      AUTH_ENABLED: 'true',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_SKIP_TLS_VERIFY: 'false',
      AUTH_GROUP: 'soc',
    },
  });
  ask = clientOf(service.url);
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});

const uuid = '00000000-0000-4000-8000-000000000000';

async function refusalsWith(headers: Readonly<Record<string, string>>) {
  const seen = new Set<number>();
  for (const { method, path } of routes) {
    const { status } = await ask(method, `/${path.replace(/\{\w+\}/g, uuid)}`, { headers });
    seen.add(status === 401 || status === 403 ? status : 0);
  }
  return [...seen];
}

test('a person of the group may call everything', async () => {
  expect(await refusalsWith({ authorization: `Bearer ${await provider.logIn('ada')}` })).toEqual([
    0,
  ]);
});

test('a service account of the group may call everything', async () => {
  const authorization = `bearer ${await provider.serviceToken()}`;

  expect(await refusalsWith({ authorization })).toEqual([0]);
});

test('a person outside the group may call nothing', async () => {
  expect(await refusalsWith({ authorization: `Bearer ${await provider.logIn('bob')}` })).toEqual([
    403,
  ]);
});

test('without a token nothing is served', async () => {
  expect(await refusalsWith({})).toEqual([401]);
});
