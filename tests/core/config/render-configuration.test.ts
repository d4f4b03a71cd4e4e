import { describe, expect, test } from 'vitest';
import { variableGroups } from '../../../core/config/groups.ts';
import { flag, oneOf } from '../../../core/config/kinds.ts';
import { readConfig } from '../../../core/config/read-config.ts';
import {
  literalDefault,
  renderConfigurationTable,
  renderEnvironmentSample,
} from '../../../core/config/render-configuration.ts';
import { optional, setting } from '../../../core/config/variable.ts';

const variables = variableGroups.flatMap((group) => Object.entries(group.variables));

/** The variables of the contract with their defaults, as its table and its prose print them. */
const contract: Readonly<Record<string, string | undefined>> = {
  PORT: '8080',
  ENABLE_TLS: 'false',
  CERT_FILE: '/certs/server.crt',
  CERT_KEY_FILE: '/certs/server.key',
  MAX_EXECUTIONS: '1000',
  SVC_ALLOWED_ORIGINS: '*',
  HTTP_FRAMEWORK_MODE: 'release',
  DATABASE: 'false',
  DB_URI: 'mongodb://localhost:27017',
  DATABASE_NAME: 'svc',
  DB_USERNAME: 'root',
  DB_PASSWORD: undefined,
  PLAYBOOK_API_LOG_LEVEL: 'trace',
  MAX_REPORTERS: '5',
  LOG_GLOBAL_LEVEL: 'info',
  LOG_MODE: 'development',
  LOG_FILE_PATH: undefined,
  LOG_FORMAT: 'json',
  ENABLE_FINS: 'false',
  MQTT_BROKER: 'localhost',
  MQTT_PORT: undefined,
  HTTP_SKIP_CERT_VALIDATION: 'false',
  VALIDATION_SCHEMA_URL: undefined,
  CASEMGR_ACTIVATE: 'false',
  CASEMGR_API_TOKEN: undefined,
  CASEMGR_API_BASE_URL: undefined,
  ENABLE_SSH_KMS: 'false',
  SSH_KMS_DIR: undefined,
  AUTH_ENABLED: 'false',
  OIDC_ISSUER: undefined,
  OIDC_CLIENT_ID: undefined,
  OIDC_CLIENT_SECRET: undefined,
  OIDC_REDIRECT_URL: undefined,
  COOKIE_SECRET_KEY: undefined,
  OIDC_SKIP_TLS_VERIFY: 'true',
  AUTH_GROUP: undefined,
  AUTH_IDP_TENANT_IDS: undefined,
  AUTH_IDP_API_CLIENT_ID: undefined,
  AUTH_IDP_API_APP_ID_URI: undefined,
  AUTH_IDP_ACCEPT_V1: 'false',
  AUTH_IDP_ALLOWED_CLIENT_IDS: undefined,
};

describe('the definition', () => {
  test('knows every variable of the contract with its default', () => {
    const defined = new Map(variables.map(([name, variable]) => [name, literalDefault(variable)]));

    for (const [name, value] of Object.entries(contract)) {
      expect([name, defined.has(name), defined.get(name)]).toEqual([name, true, value]);
    }
  });

  test('defines each variable once', () => {
    expect(new Set(variables.map(([name]) => name)).size).toBe(variables.length);
  });

  test.each(variables)(
    '%s means something, and its printed default reads as the default',
    (_, variable) => {
      const literal = literalDefault(variable);

      expect(variable.meaning).toMatch(/\.$/);
      expect(literal === undefined ? undefined : variable.kind.parse(literal)).toEqual(
        variable.default,
      );
    },
  );

  test.each(variables)('%s belongs to a switch that exists', (_, { partOf }) => {
    expect([undefined, ...variables.map(([name]) => name)]).toContain(partOf);
  });

  test('read with every printed default is the configuration of an empty environment', () => {
    const printed = variables.flatMap(([name, variable]) => {
      const literal = literalDefault(variable);
      return literal === undefined ? [] : [[name, literal]];
    });

    const { secrets: _, ...config } = readConfig(Object.fromEntries(printed));

    const { secrets: __, ...empty } = readConfig({});
    expect(config).toEqual(empty);
  });
});

describe('the rendered documentation', () => {
  const groups = [
    {
      title: 'Group',
      variables: {
        SWITCH: setting(flag, false, 'Turns a | b on.'),
        WAY: setting(oneOf(['left', 'right']), 'left', 'Where to go.'),
        PLACE: optional(oneOf(['here', 'there']), 'Where it is.', { shownDefault: 'nowhere' }),
      },
    },
  ];

  test('is a table per group', () => {
    expect(renderConfigurationTable(groups)).toBe(
      [
        '**Group**',
        '',
        '| Variable | Default | Meaning |',
        '|---|---|---|',
        '| `SWITCH` | `false` | Turns a \\| b on. |',
        '| `WAY` | `left` | Where to go. (left / right) |',
        '| `PLACE` | nowhere | Where it is. (here / there) |',
      ].join('\n'),
    );
  });

  test('is a sample file in which nothing is set', () => {
    const sample = renderEnvironmentSample(groups);

    expect(sample).toContain('# Turns a | b on.\n#SWITCH=false\n');
    expect(sample).toContain('# Where it is. Default: nowhere.\n#PLACE=\n');
    expect(sample.split('\n').every((line) => line === '' || line.startsWith('#'))).toBe(true);
  });
});
