import { describe, expect, test } from 'vitest';
import type { AuthenticationInfo } from '../../../../core/cacao/playbook.ts';
import { readTokenGrant } from '../../../../infra/capabilities/oauth2/token-grant.ts';

function grantOf(members: Record<string, unknown>) {
  return readTokenGrant({ type: 'oauth2', ...members } as AuthenticationInfo);
}

const complete = {
  token_url: 'https://idp.example/token',
  client_id: 'client',
  client_secret: 'secret',
  scope: 'api://a/.default  other',
};

describe('oauth2 authentication without token', () => {
  test('asks for client credentials', () => {
    expect(grantOf(complete)).toEqual({
      ok: true,
      grant: {
        kind: 'client-credentials',
        tokenUrl: new URL('https://idp.example/token'),
        clientId: 'client',
        clientSecret: 'secret',
        scopes: ['api://a/.default', 'other'],
      },
    });
  });

  test('may hold client and secret as user id and password', () => {
    const { client_id: user_id, client_secret: password, ...rest } = complete;

    expect(grantOf({ ...rest, user_id, password })).toEqual(grantOf(complete));
  });

  test.each(['client_id', 'client_secret', 'scope'])('is refused without %s', (member) => {
    expect(grantOf({ ...complete, [member]: ' ' })).toEqual({
      ok: false,
      reason: `The oauth2 authentication needs a token, or else a ${member}.`,
    });
  });

  test.each(['http://idp.example/token', 'idp.example/token'])(
    'is refused when a secret would go to %s',
    (token_url) => {
      expect(grantOf({ ...complete, token_url })).toEqual({
        ok: false,
        reason: 'The token_url of the oauth2 authentication is not an https URL.',
      });
    },
  );

  test('may ask for the identity of the host', () => {
    expect(grantOf({ managed_identity: true, scope: 'https://vault.azure.net/.default' })).toEqual({
      ok: true,
      grant: { kind: 'managed-identity', resource: 'https://vault.azure.net' },
    });
    expect(grantOf({ managed_identity: 'true', resource: 'r', client_id: 'c' })).toEqual({
      ok: true,
      grant: { kind: 'managed-identity', resource: 'r', clientId: 'c' },
    });
    expect(grantOf({ managed_identity: true })).toMatchObject({ ok: false });
  });

  test('does not always say how to get one', () => {
    expect(grantOf({ token: '' })).toEqual({ ok: true, grant: undefined });
  });
});
