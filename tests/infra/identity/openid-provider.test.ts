/** Group mode against a real OpenID provider, with the tokens people and service accounts get from it. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissions } from '../../../core/access/permissions.ts';
import { createAccess } from '../../../infra/identity/create-access.ts';
import {
  clientId,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../peers/oidc/openid-provider.ts';
import { noLog } from '../../support/no-log.ts';

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({
    ada: ['staff', 'soc'],
    bob: ['staff'],
    [clientId]: ['soc'],
  });
});
afterAll(() => provider.close());

async function callerOf(token: string, changes: { readonly clientId?: string } = {}) {
  const group = {
    issuer: provider.issuer,
    clientId,
    group: 'soc',
    groupsClaim: 'groups',
    skipTlsVerify: false,
    ...changes,
  };
  const access = await createAccess(
    { group, appRole: undefined },
    { clock: { now: Date.now }, log: noLog },
  );
  return access.identify(`Bearer ${token}`);
}

test('a person of the group who logged in may do everything', async () => {
  const caller = await callerOf(await provider.logIn('ada'));

  expect(caller).toEqual({ name: 'ada', id: 'ada', permissions: new Set(permissions) });
});

test('a person outside the group may do nothing', async () => {
  const caller = await callerOf(await provider.logIn('bob'));

  expect(caller).toEqual({ name: 'bob', id: 'bob', permissions: new Set() });
});

test('a service account of the group may do everything', async () => {
  const caller = await callerOf(await provider.serviceToken());

  expect(caller).toEqual({ id: clientId, permissions: new Set(permissions) });
});

test('a token for another client of the same provider is refused', async () => {
  const token = await provider.logIn('ada');

  await expect(callerOf(token, { clientId: 'else' })).rejects.toMatchObject({ status: 401 });
});
