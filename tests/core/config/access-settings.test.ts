import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/read-config.ts';

const groupMode = {
  AUTH_ENABLED: 'true',
  OIDC_ISSUER: 'https://idp.example/app/',
  OIDC_CLIENT_ID: 'theobroma',
  AUTH_GROUP: 'soc',
};
const appRoleMode = {
  AUTH_ENABLED: 'true',
  AUTH_IDP_TENANT_IDS: 't-1, t-2',
  AUTH_IDP_API_CLIENT_ID: 'api-1',
};
const warned = (environment: Record<string, string>) =>
  readConfig(environment).warnings.map((one) => one.variable);

describe('authentication', () => {
  test('in group mode keeps the issuer exactly as written', () => {
    expect(readConfig(groupMode).access).toEqual({
      group: {
        issuer: 'https://idp.example/app/',
        clientId: 'theobroma',
        group: 'soc',
        groupsClaim: 'groups',
        skipTlsVerify: true,
      },
      appRole: undefined,
    });
  });

  test('in app-role mode has the public login address unless another is set', () => {
    expect(readConfig(appRoleMode).access).toEqual({
      group: undefined,
      appRole: {
        tenantIds: ['t-1', 't-2'],
        clientId: 'api-1',
        appIdUri: undefined,
        acceptV1: false,
        allowedClientIds: undefined,
        loginUrl: 'https://login.microsoftonline.com',
      },
    });
  });

  test('can run in both modes at once', () => {
    const { access } = readConfig({ ...groupMode, ...appRoleMode });

    expect(access?.group).toBeDefined();
    expect(access?.appRole).toBeDefined();
  });

  test('does not start without a mode', () => {
    expect(() => readConfig({ AUTH_ENABLED: 'true' })).toThrow(
      /AUTH_ENABLED: is true, but neither/,
    );
  });

  test.each([
    ['AUTH_GROUP', groupMode],
    ['OIDC_CLIENT_ID', groupMode],
    ['OIDC_ISSUER', groupMode],
    ['AUTH_IDP_TENANT_IDS', appRoleMode],
    ['AUTH_IDP_API_CLIENT_ID', appRoleMode],
  ])('does not start with half a mode: %s missing', (name, mode) => {
    expect(() => readConfig({ ...mode, [name]: '' })).toThrow(new RegExp(`${name}: is missing`));
  });

  test('does not start with half of one mode beside a whole other', () => {
    expect(() => readConfig({ ...groupMode, AUTH_IDP_TENANT_IDS: 't' })).toThrow(
      /AUTH_IDP_API_CLIENT_ID: is missing/,
    );
  });

  test('trusts http issuers on the loopback only', () => {
    const issuer = (url: string) =>
      readConfig({ ...groupMode, OIDC_ISSUER: url }).access?.group?.issuer;

    expect(issuer('http://127.0.0.1:9000/app')).toBe('http://127.0.0.1:9000/app');
    expect(issuer('http://[::1]:9000')).toBe('http://[::1]:9000');
    expect(() => issuer('http://idp.example/')).toThrow(/OIDC_ISSUER: expected an https URL/);
    expect(() => issuer('http://127.0.0.1.idp.example/')).toThrow(/OIDC_ISSUER/);
  });

  test('warns when it is off and while certificates of the provider go unchecked', () => {
    expect(warned({})).toEqual(['AUTH_ENABLED']);
    expect(warned(groupMode)).toEqual(['OIDC_SKIP_TLS_VERIFY']);
    expect(warned({ ...groupMode, OIDC_SKIP_TLS_VERIFY: 'false' })).toEqual([]);
    expect(warned(appRoleMode)).toEqual([]);
  });
});
