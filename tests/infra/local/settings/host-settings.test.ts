import { describe, expect, test } from 'vitest';
import { readHostSettings } from '../../../../infra/local/settings/host-settings.ts';

describe('the settings of the host', () => {
  test('nothing set gives what a person at one machine expects', () => {
    expect(readHostSettings({}, '/app')).toEqual({
      port: 8080,
      address: undefined,
      tls: undefined,
      maxBodyBytes: 11_534_336,
      functionKeys: [],
      masterKey: undefined,
      showCalls: true,
      dataDirectory: '/app/data',
      logLevel: 'info',
      shutdownMs: 10_000,
      durable: {
        synchronous: 'NORMAL',
        route: 'live',
        checkReplay: false,
        dropCaches: false,
        shuffleSeed: undefined,
      },
    });
  });

  test('everything can be set', () => {
    const settings = readHostSettings(
      {
        PORT: '0',
        LISTEN_ADDRESS: '127.0.0.1',
        ENABLE_TLS: 'true',
        CERT_FILE: '/tls/a.crt',
        MAX_BODY_BYTES: '1024',
        FUNCTION_KEYS: 'a, b,',
        MASTER_KEY: 'm',
        LOG_MODE: 'production',
        DATA_DIR: '/var/theobroma',
        LOG_GLOBAL_LEVEL: 'Debug',
        SHUTDOWN_SECONDS: '1',
        DURABLE_SYNCHRONOUS: 'full',
        DURABLE_ROUTE: 'JSON',
        DURABLE_CHECK_REPLAY: 'true',
        DURABLE_DROP_CACHES: 'yes',
        DURABLE_SHUFFLE_SEED: '7',
      },
      '/app',
    );

    expect(settings).toEqual({
      port: 0,
      address: '127.0.0.1',
      tls: { certFile: '/tls/a.crt', keyFile: '/certs/server.key' },
      maxBodyBytes: 1024 + 1024 * 1024,
      functionKeys: ['a', 'b'],
      masterKey: 'm',
      showCalls: false,
      dataDirectory: '/var/theobroma',
      logLevel: 'debug',
      shutdownMs: 1000,
      durable: {
        synchronous: 'FULL',
        route: 'json',
        checkReplay: true,
        dropCaches: true,
        shuffleSeed: 7,
      },
    });
  });

  test.each([
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
    ['ENABLE_TLS', 'maybe', 'ENABLE_TLS must be true or false, not "maybe".'],
    ['DURABLE_ROUTE', 'xml', 'DURABLE_ROUTE must be one of live, json, not "xml".'],
  ])('%s=%s is refused by name', (name, value, message) => {
    expect(() => readHostSettings({ [name]: value }, '/app')).toThrow(message);
  });
});
