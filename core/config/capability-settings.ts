/** What the capabilities that carry out commands need to know about the world. */

import type { CapabilityConfig } from './config.ts';
import { anyText, flag, listOf, oneOf, path, port } from './kinds.ts';
import type { Notes } from './notes.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

export const capabilityVariables = {
  AGENT_PREFIXES: setting(
    listOf('agent name prefixes', /^[A-Za-z0-9][A-Za-z0-9-]*$/),
    ['svc', 'soarca'],
    'Prefixes of agent names that mean this service: svc makes svc-ssh the ssh capability. Separated by commas.',
    { shownDefault: 'svc,soarca' },
  ),
  HTTP_SKIP_CERT_VALIDATION: setting(
    flag,
    false,
    'Skip certificate validation on outgoing HTTPS and WinRM connections.',
    { lenient: true },
  ),
  SSH_HOST_KEY_POLICY: setting(
    oneOf(['first-use', 'strict', 'off']),
    'first-use',
    'first-use remembers the key of a new host, strict refuses hosts that are not known, off checks nothing.',
  ),
  SSH_KNOWN_HOSTS: optional(path, 'File of known SSH host keys.', {
    shownDefault: 'known_hosts in DATA_DIR',
  }),
  ENABLE_SSH_KMS: setting(flag, false, 'Enable SSH key management.', { lenient: true }),
  SSH_KMS_DIR: optional(path, 'Directory of the managed SSH keys.', {
    partOf: 'ENABLE_SSH_KMS',
    shownDefault: 'ssh-keys in DATA_DIR',
  }),
  SSH_KMS_PASSPHRASE: optional(anyText, 'Decrypts the managed private keys.', {
    secret: true,
    partOf: 'ENABLE_SSH_KMS',
  }),
  CALDERA_HOST: optional(anyText, 'Caldera server, with or without http:// or https://.'),
  CALDERA_PORT: optional(port, 'Port of the Caldera server.', {
    shownDefault: 'the one in CALDERA_HOST, or that of its scheme',
  }),
  CALDERA_API_KEY: optional(anyText, 'Sent to the Caldera server as the header KEY.', {
    secret: true,
  }),
};

export function capabilityConfig(
  values: ValuesOf<typeof capabilityVariables>,
  dataDirectory: string,
  notes: Notes,
): CapabilityConfig {
  return {
    agentPrefixes: values.AGENT_PREFIXES,
    skipCertValidation: values.HTTP_SKIP_CERT_VALIDATION,
    ssh: {
      hostKeyPolicy: values.SSH_HOST_KEY_POLICY,
      knownHostsFile: values.SSH_KNOWN_HOSTS ?? `${dataDirectory}/known_hosts`,
      keys: values.ENABLE_SSH_KMS
        ? {
            directory: values.SSH_KMS_DIR ?? `${dataDirectory}/ssh-keys`,
            passphrase: values.SSH_KMS_PASSPHRASE,
          }
        : undefined,
    },
    caldera: calderaConfig(values, notes),
  };
}

function calderaConfig(
  values: ValuesOf<typeof capabilityVariables>,
  notes: Notes,
): CapabilityConfig['caldera'] {
  const host = values.CALDERA_HOST;
  if (host === undefined) return undefined;
  const hasScheme = /^https?:\/\//i.test(host);
  if (!hasScheme) notes.warn('CALDERA_HOST', 'names no scheme; http:// is assumed');
  const url = URL.parse(hasScheme ? host : `http://${host}`);
  if (url === null) {
    notes.problem('CALDERA_HOST', `expected a host or an http(s) URL, found "${host}"`);
    return undefined;
  }
  if (values.CALDERA_API_KEY === undefined) {
    notes.warn('CALDERA_API_KEY', 'is missing, so the caldera-cmd capability stays off');
    return undefined;
  }
  if (values.CALDERA_PORT !== undefined) url.port = String(values.CALDERA_PORT);
  return {
    url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    apiKey: values.CALDERA_API_KEY,
  };
}
