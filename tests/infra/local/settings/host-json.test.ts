import { describe, expect, test } from 'vitest';
import { parseHostJson } from '../../../../infra/local/settings/host-json.ts';

const parse = (extensions: object, environment = {}) =>
  parseHostJson(JSON.stringify({ version: '2.0', extensions }), environment);

describe('host.json', () => {
  test('an empty one gives the defaults of the platform', () => {
    expect(parse({})).toEqual({
      routePrefix: 'api',
      customHeaders: {},
      strictTransportSecurity: undefined,
      durable: {
        hubName: 'Theobroma',
        defaultVersion: undefined,
        maxConcurrentActivities: 10,
        maxOrchestrationActions: 100_000,
      },
    });
  });

  test('settings of HTTP and durable functions are followed', () => {
    const hostJson = parse(
      {
        http: {
          routePrefix: '/',
          customHeaders: { 'X-A': '%A%' },
          hsts: { isEnabled: true, maxAge: '10', includeSubDomains: true },
        },
        durableTask: {
          hubName: 'Hub%SLOT%',
          defaultVersion: '2.0',
          maxConcurrentActivityFunctions: 3,
        },
      },
      { A: 'a', SLOT: 'Test' },
    );

    expect(hostJson).toEqual({
      routePrefix: '',
      customHeaders: { 'x-a': 'a' },
      strictTransportSecurity: 'max-age=864000; includeSubDomains',
      durable: {
        hubName: 'HubTest',
        defaultVersion: '2.0',
        maxConcurrentActivities: 3,
        maxOrchestrationActions: 100_000,
      },
    });
  });

  test.each([
    ['{', 'host.json is not valid JSON.'],
    ['{"version":"1.0"}', 'host.json must say "version": "2.0".'],
    ['{"version":"2.0","extensions":[]}', 'host.json extensions must be an object.'],
    [
      '{"version":"2.0","extensions":{"http":{"routePrefix":1}}}',
      'host.json extensions http routePrefix must be a text.',
    ],
    [
      '{"version":"2.0","extensions":{"durableTask":{"hubName":"%NO%"}}}',
      'host.json extensions durableTask hubName must be resolved: there is no setting NO.',
    ],
    [
      '{"version":"2.0","extensions":{"durableTask":{"hubName":"a-b"}}}',
      'extensions.durableTask.hubName in host.json must be 3 to 45 letters and digits, not "a-b".',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => parseHostJson(text, {})).toThrow(message);
  });
});
