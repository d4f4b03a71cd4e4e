import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/read-config.ts';

describe('destinations', () => {
  test('may be anywhere unless lists say otherwise', () => {
    expect(readConfig({}).egress).toEqual({ allow: undefined, deny: [] });
  });

  test('are names, patterns, addresses and networks', () => {
    const EGRESS_ALLOW = 'Soc.example, *.corp.example,10.0.0.0/8, ::1, fd00::/8';

    expect(readConfig({ EGRESS_ALLOW }).egress.allow).toEqual([
      'soc.example',
      '*.corp.example',
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
    ]);
  });

  test.each(['10.0.0.0/33', '10.0.0', 'https://a.example', 'a.example:443', '*', 'a/b'])(
    'that cannot be understood stop the start: %s',
    (EGRESS_DENY) => {
      expect(() => readConfig({ EGRESS_DENY })).toThrow(/EGRESS_DENY/);
    },
  );
});

describe('secrets that playbooks may refer to', () => {
  test('are the variables with the prefix, and are redacted from the start', () => {
    const config = readConfig({ SECRET_EDR: 'hunter22', DB_PASSWORD: 'x', SECRET_EMPTY: '' });

    expect(config.secretReferences).toEqual({
      environmentPrefix: 'SECRET_',
      environment: { SECRET_EDR: 'hunter22' },
      keyVaultUrl: undefined,
    });
    expect(config.secrets).toContain('hunter22');
  });

  test('may have another prefix and a key vault', () => {
    const config = readConfig({
      SECRET_ENV_PREFIX: 'PB_',
      PB_A: 'a-secret',
      SECRET_B: 'b-secret',
      KEY_VAULT_URL: 'https://soc.vault.azure.net/',
    });

    expect(config.secretReferences).toEqual({
      environmentPrefix: 'PB_',
      environment: { PB_A: 'a-secret' },
      keyVaultUrl: 'https://soc.vault.azure.net',
    });
  });

  test('are never the settings of the service', () => {
    const config = readConfig({ SECRET_ENV_PREFIX: 'DB_', DB_PASSWORD: 'not-for-playbooks' });

    expect(config.secretReferences.environment).toEqual({});
  });

  test.each([{ SECRET_ENV_PREFIX: 'A-B' }, { KEY_VAULT_URL: 'http://soc.vault.azure.net' }])(
    'cannot be looked up with %j',
    (environment) => {
      expect(() => readConfig(environment)).toThrow(Object.keys(environment)[0]);
    },
  );
});
