import { describe, expect, test } from 'vitest';
import { groupCaller } from '../../../core/access/group-caller.ts';
import { permissions } from '../../../core/access/permissions.ts';
import type { JsonObject } from '../../../core/json.ts';

const config = {
  issuer: 'https://idp.example/realm/',
  clientId: 'theobroma',
  group: 'soc',
  groupsClaim: 'groups',
  skipTlsVerify: false,
};
const now = 1_800_000_000;
const good = {
  iss: config.issuer,
  aud: 'theobroma',
  exp: now + 300,
  sub: 'user-1',
  groups: ['other', 'soc'],
};

const callerOf = (claims: JsonObject, changes: Partial<typeof config> = {}) =>
  groupCaller({ ...good, ...claims }, { ...config, ...changes }, now * 1000);
const permissionsOf = (claims: JsonObject) => [...callerOf(claims).permissions];
const without = (name: string): JsonObject =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));

test('a member of the group may do everything', () => {
  expect(permissionsOf({})).toEqual([...permissions]);
});

describe('the group', () => {
  test.each([
    ['one text', 'soc'],
    ['a list with things that are no text', [7, null, { soc: true }, 'soc']],
    ['a list of a thousand', [...Array.from({ length: 1000 }, (_, at) => `group-${at}`), 'soc']],
  ])('may come as %s', (_, groups) => {
    expect(permissionsOf({ groups })).toEqual([...permissions]);
  });

  test.each([
    ['another group', ['other']],
    ['another spelling', ['SOC']],
    ['a part of the name', ['soc-readers', 'so']],
    ['no list', { soc: true }],
    ['an empty list', []],
    ['null', null],
  ])('is asked for exactly; %s permits nothing', (_, groups) => {
    expect(permissionsOf({ groups })).toEqual([]);
  });

  test('a token without groups permits nothing', () => {
    expect([...groupCaller(without('groups'), config, now * 1000).permissions]).toEqual([]);
  });

  test('may stand in another claim', () => {
    const caller = callerOf({ groups: [], roles: ['soc'] }, { groupsClaim: 'roles' });

    expect(caller.permissions.has('admin')).toBe(true);
  });
});

describe('a token is refused', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['of another issuer', { iss: 'https://idp.example/realm' }, /another provider/],
    ['for another client', { aud: 'portal' }, /another service/],
    ['for other clients', { aud: ['portal', 'wiki'] }, /another service/],
    ['for nobody', { aud: null }, /another service/],
    ['past its end', { exp: now - 60 }, /expired/],
    ['with an end that is no number', { exp: '2099' }, /never expires/],
    ['before its begin', { nbf: now + 61 }, /not valid yet/],
    ['from the future', { iat: now + 61 }, /not valid yet/],
    ['with a begin that is no number', { nbf: 'soon' }, /not numbers/],
  ])('%s', (_, claims, reason) => {
    expect(() => callerOf(claims)).toThrow(reason);
  });

  test('that has no end', () => {
    expect(() => groupCaller(without('exp'), config, now * 1000)).toThrow(/never expires/);
  });
});

test('clocks may be a minute apart', () => {
  expect(permissionsOf({ exp: now - 59, nbf: now + 60, iat: now + 60 })).toEqual([...permissions]);
});

test('one of several audiences is enough', () => {
  expect(permissionsOf({ aud: ['portal', 'theobroma'] })).toEqual([...permissions]);
});

test.each<[JsonObject, string | undefined]>([
  [{ preferred_username: 'ada', email: 'ada@example.org', name: 'Ada' }, 'ada'],
  [{ email: 'ada@example.org', name: 'Ada' }, 'ada@example.org'],
  [{ name: 'Ada' }, 'Ada'],
  [{ name: 7 }, undefined],
  [{ name: 'Ada\n<root>\u202e' }, 'Adaroot'],
])('the caller is called by what the token knows: %j', (claims, name) => {
  expect(callerOf(claims)).toMatchObject({ id: 'user-1', ...(name === undefined ? {} : { name }) });
  expect(callerOf(claims).name).toBe(name);
});
