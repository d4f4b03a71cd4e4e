import { describe, expect, test } from 'vitest';
import { appRoleCaller } from '../../../core/access/app-role-caller.ts';
import { permissions } from '../../../core/access/permissions.ts';
import type { AppRoleAccessConfig } from '../../../core/config/config.ts';
import type { JsonObject } from '../../../core/json.ts';

const tenant = '6a3b1f0c-0000-4000-8000-000000000001';
const config: AppRoleAccessConfig = {
  tenantIds: [tenant],
  clientId: 'api-client',
  appIdUri: 'api://theobroma',
  acceptV1: false,
  allowedClientIds: undefined,
  loginUrl: 'https://login.example',
};
const now = 1_800_000_000;

const application = {
  iss: `https://login.example/${tenant}/v2.0`,
  tid: tenant,
  aud: 'api-client',
  ver: '2.0',
  exp: now + 300,
  azp: 'client-1',
  oid: 'principal-1',
  idtyp: 'app',
  roles: ['Playbook.Read'],
};
const { idtyp: _, ...untyped } = application;
const user = {
  ...untyped,
  oid: 'user-1',
  scp: 'openid access_as_user',
  preferred_username: 'ada@example.org',
};
const { azp: __, ...unnamed } = application;
const version1 = {
  ...unnamed,
  iss: `https://sts.windows.net/${tenant}/`,
  aud: 'api://theobroma',
  ver: '1.0',
  appid: 'client-1',
};

const callerOf = (claims: JsonObject, changes: Partial<AppRoleAccessConfig> = {}) =>
  appRoleCaller(claims, { ...config, ...changes }, now * 1000);
const permissionsOf = (claims: JsonObject) => [...callerOf(claims).permissions];

describe('who calls', () => {
  test('an application is known by its client id', () => {
    expect(callerOf(application)).toMatchObject({ id: 'client-1' });
    expect(callerOf({ ...application, app_displayname: 'SIEM' })).toMatchObject({
      id: 'client-1',
      name: 'SIEM',
    });
  });

  test('a user is known by name and object id', () => {
    expect(callerOf(user)).toMatchObject({ id: 'user-1', name: 'ada@example.org' });
  });

  test('without idtyp a token with a scope is a user, one without an application', () => {
    expect(callerOf(user).id).toBe('user-1');
    expect(callerOf(untyped).id).toBe('client-1');
  });
});

describe('roles', () => {
  test.each([
    [['Playbook.Read'], ['playbook:read']],
    [['Playbook.Write'], ['playbook:read', 'playbook:write']],
    [['Playbook.Execute'], ['playbook:read', 'playbook:execute']],
    [
      ['Playbook.Execute', 'Playbook.Write'],
      ['playbook:read', 'playbook:execute', 'playbook:write'],
    ],
    [['Service.Admin'], [...permissions]],
    [['Playbook.Read', 'Else.Where'], ['playbook:read']],
    [['playbook.read', 'PLAYBOOK.READ', 'Playbook.Read '], []],
    [['Playbook'], []],
    [[], []],
  ])('%j permit %j', (roles, granted) => {
    expect(permissionsOf({ ...application, roles })).toEqual(granted);
  });

  test('no roles permit nothing', () => {
    const { roles, ...rest } = application;

    expect(roles).toEqual(['Playbook.Read']);
    expect(permissionsOf(rest)).toEqual([]);
  });
});

describe('a token is refused', () => {
  const other = '6a3b1f0c-0000-4000-8000-000000000002';
  const foreign = `https://login.example/${other}/v2.0`;
  const directory = '00000003-0000-0000-c000-000000000000';

  test.each<[string, JsonObject, RegExp]>([
    ['of another issuer', { iss: 'https://evil.example' }, /another provider/],
    ['whose issuer is not the one of its tenant', { iss: foreign }, /another provider/],
    ['of another tenant', { tid: other, iss: foreign }, /tenant/],
    ['without a tenant', { tid: null }, /another provider/],
    ['for the API of the directory', { aud: directory }, /another service/],
    ['without a version', { ver: null }, /version/],
    ['of another version than its issuer', { ver: '1.0' }, /version/],
    ['that has expired', { exp: now - 60 }, /expired/],
    ['that has no end', { exp: null }, /never expires/],
    ['that is not valid yet', { nbf: now + 61 }, /not valid yet/],
  ])('%s', (_, claims, reason) => {
    expect(() => callerOf({ ...application, ...claims })).toThrow(reason);
  });

  test('of version 1, unless they are accepted', () => {
    expect(() => callerOf(version1)).toThrow(/version 1/);
    expect(callerOf(version1, { acceptV1: true })).toMatchObject({ id: 'client-1' });
  });

  test('of a client that is not on the list, in both versions', () => {
    const allowedClientIds = ['client-2'];
    const { azp, ...anonymous } = application;

    expect(azp).toBe('client-1');
    expect(() => callerOf(application, { allowedClientIds })).toThrow(/client/);
    expect(() => callerOf(anonymous, { allowedClientIds })).toThrow(/client/);
    expect(() => callerOf(version1, { allowedClientIds, acceptV1: true })).toThrow(/client/);
    expect(callerOf({ ...application, azp: 'client-2' }, { allowedClientIds }).id).toBe('client-2');
  });

  test.each(['openid', 'access_as_user_too', 'Access_As_User', ''])(
    'of a user whose scope is %j',
    (scp) => {
      expect(() => callerOf({ ...user, scp })).toThrow(/access_as_user/);
    },
  );

  test('of a user without any scope, also when the token does not say it is one', () => {
    const { scp, ...idToken } = { ...user, nonce: 'n' };

    expect(scp).toContain('access_as_user');
    expect(() => callerOf({ ...idToken, idtyp: 'user' })).toThrow(/access_as_user/);
    expect(() => callerOf(idToken)).toThrow(/access_as_user/);
  });

  test('for the first thing that is wrong with it, in the order of the contract', () => {
    const wrong = { iss: 'x', tid: tenant, aud: 'x', ver: 'x', exp: 0, azp: 'x', scp: 'x' };
    const right = [
      { iss: foreign, tid: other },
      { iss: application.iss, tid: tenant },
      { aud: 'api-client' },
      { ver: '2.0' },
      { exp: now + 1 },
      { azp: 'client-1' },
    ];
    const allowedClientIds = ['client-1'];

    const reasons = [wrong, ...right].map((__, count) => {
      const claims = Object.assign({}, wrong, ...right.slice(0, count));
      try {
        callerOf(claims, { allowedClientIds });
        return 'none';
      } catch (error) {
        return String(error).replace(/.*accepted: /, '');
      }
    });

    expect(reasons).toEqual([
      'another provider issued it.',
      'its tenant is not accepted.',
      'it was issued for another service.',
      'its version does not fit its issuer.',
      'it has expired.',
      'its client is not accepted.',
      'it lacks the scope access_as_user.',
    ]);
  });
});

test('both spellings of the audience are accepted in both versions', () => {
  for (const aud of ['api-client', 'api://theobroma']) {
    expect(callerOf({ ...application, aud }).id).toBe('client-1');
    expect(callerOf({ ...version1, aud }, { acceptV1: true }).id).toBe('client-1');
  }
});

test('the case of a configured tenant id does not matter', () => {
  expect(callerOf(application, { tenantIds: [tenant.toUpperCase()] }).id).toBe('client-1');
});
