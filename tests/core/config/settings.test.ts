import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/read-config.ts';

describe('the service', () => {
  test('serves TLS with the named files once it is enabled', () => {
    expect(readConfig({ CERT_FILE: '/a.crt' }).http.tls).toBeUndefined();
    expect(readConfig({ ENABLE_TLS: 'true', CERT_FILE: '/a.crt' }).http.tls).toEqual({
      certFile: '/a.crt',
      keyFile: '/certs/server.key',
    });
  });

  test('allows the listed origins and refuses a list without schemes', () => {
    const origins = (text: string) => readConfig({ SVC_ALLOWED_ORIGINS: text }).http.allowedOrigins;

    expect(origins('https://a.example, http://b.example:8081')).toEqual([
      'https://a.example',
      'http://b.example:8081',
    ]);
    expect(origins('https://a.example,*')).toBe('any');
    expect(() => origins('a.example')).toThrow(/SVC_ALLOWED_ORIGINS/);
    expect(() => origins('https://a.example/path')).toThrow(/SVC_ALLOWED_ORIGINS/);
  });

  test('waits in a trigger call as long as it is told to', () => {
    const wait = (text: string) =>
      readConfig({ TRIGGER_MAX_WAIT_SECONDS: text }).http.triggerMaxWaitMs;

    expect(wait('30')).toBe(30_000);
    expect(wait('0')).toBeUndefined();
  });
});

describe('the store', () => {
  const store = (more: Record<string, string>) => readConfig({ DATABASE: 'true', ...more });

  test('is MongoDB on this machine with the weak password when nothing else is said, and warns of it', () => {
    const config = store({});

    expect(config.store).toEqual({
      kind: 'mongo',
      uri: 'mongodb://localhost:27017',
      database: 'svc',
      credentials: { username: 'root', password: 'rootpassword' },
    });
    expect(config.warnings.map((one) => one.variable)).toEqual(['DB_PASSWORD', 'AUTH_ENABLED']);
  });

  test('takes credentials in the address before the variables', () => {
    const { store: read } = store({ DB_URI: 'mongodb+srv://me:secret@db.example/?tls=true' });

    expect(read).toMatchObject({ kind: 'mongo', credentials: undefined });
  });

  test('uses no credentials when the user name is empty', () => {
    expect(store({ DB_USERNAME: '' }).store).toMatchObject({ credentials: undefined });
  });

  test('is Cosmos DB for NoSQL for an https address, with the managed identity unless a key is given', () => {
    const uri = 'https://soc.documents.azure.com:443/';

    expect(store({ DB_URI: uri }).store).toEqual({
      kind: 'cosmos',
      endpoint: uri,
      database: 'svc',
      key: undefined,
    });
    expect(store({ DB_URI: uri, DB_PASSWORD: 'k==' }).store).toMatchObject({ key: 'k==' });
  });

  test('must be one we can speak to', () => {
    expect(() => store({ DB_URI: 'postgres://db' })).toThrow(/DB_URI: expected a mongodb:/);
    expect(() => store({ DB_URI: 'mongodb://' })).toThrow(/DB_URI/);
  });
});

describe('capabilities', () => {
  test('find their files under the data directory unless told otherwise', () => {
    const { ssh } = readConfig({ DATA_DIR: '/var/t', ENABLE_SSH_KMS: 'true' }).capabilities;

    expect(ssh).toMatchObject({
      knownHostsFile: '/var/t/known_hosts',
      keys: { directory: '/var/t/ssh-keys', passphrase: undefined },
    });
  });

  test('answer to the agent prefixes that are set', () => {
    expect(readConfig({ AGENT_PREFIXES: 'svc, acme' }).capabilities.agentPrefixes).toEqual([
      'svc',
      'acme',
    ]);
    expect(() => readConfig({ AGENT_PREFIXES: ' , ' })).toThrow(/AGENT_PREFIXES/);
  });

  test('reach Caldera with and without a scheme in its host', () => {
    const caldera = (more: Record<string, string>) =>
      readConfig({ CALDERA_API_KEY: 'k', ...more }).capabilities.caldera?.url;

    expect(caldera({ CALDERA_HOST: 'caldera', CALDERA_PORT: '8888' })).toBe('http://caldera:8888');
    expect(caldera({ CALDERA_HOST: 'https://c.example/base/' })).toBe('https://c.example/base');
    expect(caldera({})).toBeUndefined();
  });

  test('leave Caldera off without a key and say so', () => {
    const config = readConfig({ CALDERA_HOST: 'https://c.example' });

    expect(config.capabilities.caldera).toBeUndefined();
    expect(config.warnings.map((one) => one.variable)).toContain('CALDERA_API_KEY');
  });
});

describe('fins', () => {
  const fins = (more: Record<string, string>) => readConfig({ ENABLE_FINS: '1', ...more }).fins;

  test('are reached at the local broker on the service topic', () => {
    expect(fins({})).toEqual({
      broker: 'localhost',
      port: 1883,
      tls: undefined,
      credentials: undefined,
      version: '5',
      serviceTopic: 'svc',
      listener: 'always',
      listenMs: 5_000,
      unregisterOnShutdown: false,
    });
  });

  test('are reached over TLS with credentials when asked to', () => {
    const secured = {
      MQTT_TLS: 'true',
      MQTT_USERNAME: 'u',
      MQTT_PASSWORD: 'p',
      MQTT_CA_FILE: '/ca',
    };

    expect(fins(secured)).toMatchObject({
      port: 8883,
      tls: { caFile: '/ca' },
      credentials: { username: 'u', password: 'p' },
    });
  });

  test('need a plain topic, a bare host and a user to every password', () => {
    expect(() => fins({ MQTT_SERVICE_TOPIC: 'svc/#' })).toThrow(/MQTT_SERVICE_TOPIC/);
    expect(() => fins({ MQTT_BROKER: 'tcp://broker:1883' })).toThrow(/MQTT_BROKER/);
    expect(() => fins({ MQTT_PASSWORD: 'p' })).toThrow(/MQTT_USERNAME/);
  });
});

describe('case management', () => {
  const on = { CASEMGR_ACTIVATE: 'true', CASEMGR_API_TOKEN: 't' };
  const baseUrl = (url: string) =>
    readConfig({ ...on, CASEMGR_API_BASE_URL: url }).reporting.caseManagement?.baseUrl;

  test('is called below /api/v1 however its address is written', () => {
    expect(baseUrl('http://h')).toBe('http://h/api/v1');
    expect(baseUrl('http://h/api/v1/')).toBe('http://h/api/v1');
    expect(baseUrl('http://h/case/api/v1')).toBe('http://h/case/api/v1');
  });

  test('stays off without an address and says so', () => {
    const config = readConfig(on);

    expect(config.reporting.caseManagement).toBeUndefined();
    expect(config.warnings.map((one) => one.variable)).toContain('CASEMGR_API_BASE_URL');
  });
});
