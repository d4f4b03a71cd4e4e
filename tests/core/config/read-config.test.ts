import { describe, expect, test } from 'vitest';
import type { Config } from '../../../core/config/config.ts';
import { ConfigError } from '../../../core/config/config-error.ts';
import { readConfig } from '../../../core/config/read-config.ts';
import type { Environment } from '../../../core/config/read-values.ts';

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};
const warned = (config: Config): readonly string[] => config.warnings.map((one) => one.variable);

describe('an empty environment', () => {
  test('gives the defaults of the contract', () => {
    const { secrets, warnings, ...config } = readConfig({});

    expect(config).toEqual({
      http: {
        port: 8080,
        rateLimitPerMinute: 0,
        listenAddress: undefined,
        tls: undefined,
        allowedOrigins: 'any',
        frameworkMode: 'release',
        maxBodyBytes: 10 * 1024 * 1024,
        triggerMaxWaitMs: undefined,
      },
      access: undefined,
      store: { kind: 'sqlite', directory: './data' },
      execution: {
        maxExecutions: 1000,
        parallelBranches: 'sequential',
        stepTimeoutMs: 600_000,
        maxLoopIterations: 10_000,
        maxPlaybookDepth: 16,
      },
      validation: { schemaUrl: undefined },
      capabilities: {
        agentPrefixes: ['svc', 'soarca'],
        skipCertValidation: false,
        ssh: {
          hostKeyPolicy: 'first-use',
          knownHostsFile: './data/known_hosts',
          keys: undefined,
        },
        caldera: undefined,
      },
      fins: undefined,
      reporting: {
        maxReporters: 5,
        caseManagement: undefined,
        webhook: undefined,
        manualWebhook: undefined,
      },
      egress: { allow: undefined, deny: [] },
      secretReferences: { environmentPrefix: 'SECRET_', environment: {}, keyVaultUrl: undefined },
      log: {
        mode: 'development',
        level: 'info',
        format: 'json',
        filePath: undefined,
        playbookApiLevel: 'trace',
      },
      telemetry: undefined,
    });
    expect(secrets).toEqual([]);
    expect(warnings.map((one) => one.variable)).toEqual(['AUTH_ENABLED']);
  });

  test('gives a configuration nobody can change', () => {
    const config = readConfig({ ENABLE_FINS: 'true' });

    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.fins)).toBe(true);
    expect(Object.isFrozen(config.capabilities.agentPrefixes)).toBe(true);
  });
});

describe('a bad value', () => {
  test('stops the start and all of them are named at once', () => {
    const environment = { PORT: '80800', MAX_BODY_BYTES: 'big', SSH_HOST_KEY_POLICY: 'maybe' };

    expect(problemsOf(environment)).toEqual([
      'PORT: expected a whole number from 0 to 65535, found "80800"',
      'MAX_BODY_BYTES: expected a whole number from 1024, found "big"',
      'SSH_HOST_KEY_POLICY: expected one of first-use, strict, off, found "maybe"',
    ]);
    expect(() => readConfig(environment)).toThrow(/PORT: .*\n.*MAX_BODY_BYTES: /);
  });

  test('of a number the contract is lenient about becomes the default, with a warning', () => {
    const config = readConfig({
      MAX_EXECUTIONS: 'many',
      MAX_REPORTERS: '-1',
      ENABLE_FINS: 'yes',
      MQTT_PORT: '99999',
    });

    expect(config.execution.maxExecutions).toBe(1000);
    expect(config.reporting.maxReporters).toBe(5);
    expect(config.fins?.port).toBe(1883);
    expect(warned(config)).toEqual([
      'MAX_EXECUTIONS',
      'MQTT_PORT',
      'MAX_REPORTERS',
      'AUTH_ENABLED',
    ]);
  });

  test('of a log setting becomes the default, with a warning', () => {
    const config = readConfig({ LOG_FORMAT: 'xml', LOG_GLOBAL_LEVEL: 'loud' });

    expect(config.log).toMatchObject({ format: 'json', level: 'info' });
    expect(warned(config)).toEqual(['LOG_GLOBAL_LEVEL', 'LOG_FORMAT', 'AUTH_ENABLED']);
  });

  test('of a switch becomes the default, with a warning', () => {
    const config = readConfig({ CASEMGR_ACTIVATE: 'perhaps' });

    expect(config.reporting.caseManagement).toBeUndefined();
    expect(warned(config)).toContain('CASEMGR_ACTIVATE');
  });

  test('of a switch whose default is the less safe choice stops the start', () => {
    expect(problemsOf({ AUTH_ENABLED: 'ture' })).toEqual([
      'AUTH_ENABLED: expected true or false, found "ture"',
    ]);
    expect(problemsOf({ ENABLE_TLS: 'si' })).toHaveLength(1);
  });

  test('in a part that is switched off only causes a warning', () => {
    const config = readConfig({ AUTH_ENABLED: 'false', OIDC_ISSUER: '<issuer>' });

    expect(config.warnings).toContainEqual({
      variable: 'OIDC_ISSUER',
      text: 'expected an https URL (http only on the loopback), found "<issuer>"; the default is used',
    });
  });
});

describe('switches', () => {
  test.each(['1', 't', 'T', 'TRUE', 'true', 'yes', 'On', ' true '])('%j turns on', (text) => {
    expect(readConfig({ HTTP_SKIP_CERT_VALIDATION: text }).capabilities.skipCertValidation).toBe(
      true,
    );
  });

  test.each(['0', 'f', 'FALSE', 'no', 'off', ''])('%j turns off', (text) => {
    expect(readConfig({ HTTP_SKIP_CERT_VALIDATION: text }).capabilities.skipCertValidation).toBe(
      false,
    );
  });
});

describe('secrets', () => {
  test('are collected for the redactor, also the password inside a database address', () => {
    const config = readConfig({
      DATABASE: 'true',
      DB_URI: 'mongodb://app:s%40crt@db:27017/x',
      CASEMGR_API_TOKEN: 'token-1',
    });

    expect(config.secrets).toEqual(
      expect.arrayContaining(['mongodb://app:s%40crt@db:27017/x', 's%40crt', 's@crt', 'token-1']),
    );
  });

  test('do not appear in complaints', () => {
    expect(problemsOf({ DATABASE: 'true', DB_URI: 'redis://u:hunter2@db' }).join()).not.toContain(
      'hunter2',
    );
  });
});

describe('on an instance of Azure Functions', () => {
  const azure = { WEBSITE_INSTANCE_ID: '1' };

  test('the SQLite store is refused', () => {
    expect(problemsOf(azure)).toEqual([expect.stringMatching(/^DATABASE: must be true on Azure/)]);
  });

  test('trigger calls end before the front end cuts them', () => {
    expect(readConfig({ ...azure, DATABASE: 'true' }).http.triggerMaxWaitMs).toBe(220_000);
  });

  test('the embedded host is not mistaken for it', () => {
    const config = readConfig({ ...azure, THEOBROMA_HOST: 'embedded' });

    expect(config.store.kind).toBe('sqlite');
    expect(config.http.triggerMaxWaitMs).toBeUndefined();
  });
});
