/** Where the service listens, who may call it from a browser, and how much a call may ask for. */

import type { HttpConfig } from './config.ts';
import { flag, hostName, oneOf, origins, path, wholeNumber } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

export const httpVariables = {
  PORT: setting(
    wholeNumber(0, 65_535),
    8080,
    'Listening port. 0 takes a free one. On Azure the platform decides.',
  ),
  LISTEN_ADDRESS: optional(
    hostName,
    'Address the embedded host listens on, such as 127.0.0.1 to be reachable from this machine only.',
    { shownDefault: 'all addresses' },
  ),
  // Not lenient: falling back would serve in clear what was meant to be encrypted.
  ENABLE_TLS: setting(flag, false, 'Serve TLS (embedded host).'),
  CERT_FILE: setting(path, '/certs/server.crt', 'TLS certificate, PEM.', { partOf: 'ENABLE_TLS' }),
  CERT_KEY_FILE: setting(path, '/certs/server.key', 'TLS private key, PEM.', {
    partOf: 'ENABLE_TLS',
  }),
  SVC_ALLOWED_ORIGINS: setting(
    origins,
    'any',
    'Origins allowed to make cross-origin requests, separated by commas; * allows any.',
    { shownDefault: '*' },
  ),
  HTTP_FRAMEWORK_MODE: setting(
    oneOf(['release', 'debug', 'test']),
    'release',
    'Verbosity of the HTTP layer; debug logs every request.',
    { lenient: true },
  ),
  MAX_BODY_BYTES: setting(
    wholeNumber(1024),
    10_485_760,
    'Largest request body in bytes; larger ones are answered 413.',
  ),
  RATE_LIMIT_PER_MINUTE: setting(
    wholeNumber(0, 1_000_000),
    0,
    'Calls each caller may make per minute and instance; more are answered 429. 0 sets no limit.',
  ),
  TRIGGER_MAX_WAIT_SECONDS: optional(
    wholeNumber(0, 86_400),
    'Longest time in seconds a trigger call waits for the end of its execution before it answers 202. 0 sets no limit.',
    { shownDefault: 'no limit; 220 on Azure, whose front end cuts calls after 230' },
  ),
};

const azureMaxWaitSeconds = 220;

export function httpConfig(
  values: ValuesOf<typeof httpVariables>,
  onAzure: boolean,
  notes: Notes,
): HttpConfig {
  const maxWaitSeconds = values.TRIGGER_MAX_WAIT_SECONDS ?? (onAzure ? azureMaxWaitSeconds : 0);
  if (onAzure && (maxWaitSeconds === 0 || maxWaitSeconds > azureMaxWaitSeconds)) {
    notes.warn(
      'TRIGGER_MAX_WAIT_SECONDS',
      'the front end of Azure cuts a call after 230 seconds, before the service can answer it',
    );
  }
  return {
    port: values.PORT,
    listenAddress: values.LISTEN_ADDRESS,
    tls: values.ENABLE_TLS
      ? { certFile: values.CERT_FILE, keyFile: values.CERT_KEY_FILE }
      : undefined,
    allowedOrigins: values.SVC_ALLOWED_ORIGINS,
    frameworkMode: values.HTTP_FRAMEWORK_MODE,
    maxBodyBytes: values.MAX_BODY_BYTES,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    triggerMaxWaitMs: maxWaitSeconds === 0 ? undefined : maxWaitSeconds * 1000,
  };
}
