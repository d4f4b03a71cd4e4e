/** Where the service may connect to for a playbook, and where it looks up the secrets a playbook refers to. */

import { isInRange, parseIpAddress } from '../cacao/ip-address.ts';
import type { EgressConfig, SecretConfig } from './config.ts';
import { type Kind, pattern, trustedUrl } from './kinds.ts';
import type { Environment } from './read-values.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

/** Hosts, `*.domain` patterns, addresses and CIDR blocks, separated by commas; lower case. */
const destinations: Kind<readonly string[]> = {
  expected: 'host names, *.domain, addresses or networks such as 10.0.0.0/8, separated by commas',
  parse: (text) => {
    const parts = text.toLowerCase().split(',');
    const entries = parts.map((part) => part.trim()).filter((part) => part !== '');
    return entries.length > 0 && entries.every(isDestination) ? entries : undefined;
  },
};

export const outgoingVariables = {
  EGRESS_ALLOW: optional(
    destinations,
    'The only destinations playbooks and webhooks may reach: host names, *.domain, addresses, networks such as 10.0.0.0/8, separated by commas.',
    { shownDefault: 'everywhere' },
  ),
  EGRESS_DENY: optional(
    destinations,
    'Destinations they may not reach, even if EGRESS_ALLOW names them. Link-local addresses, where clouds serve their metadata, are denied unless EGRESS_ALLOW names such an address or network itself.',
    { shownDefault: 'link-local addresses' },
  ),
  SECRET_ENV_PREFIX: setting(
    pattern(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the beginning of a variable name'),
    'SECRET_',
    'Environment variables a playbook may refer to as env:NAME in its authentication information: those whose names begin so.',
  ),
  KEY_VAULT_URL: optional(
    trustedUrl,
    'Azure Key Vault a playbook may refer to as keyvault:name; read with the managed identity of the host. Every secret in it is open to whoever writes playbooks.',
  ),
};

type Values = ValuesOf<typeof outgoingVariables>;

export function egressConfig(values: Values): EgressConfig {
  return { allow: values.EGRESS_ALLOW, deny: values.EGRESS_DENY ?? [] };
}

/** The settings of the service itself are `withheld`, whatever the prefix. */
export function secretConfig(
  values: Values,
  environment: Environment,
  withheld: ReadonlySet<string>,
): SecretConfig {
  const prefix = values.SECRET_ENV_PREFIX;
  const given = Object.entries(environment).flatMap(([name, value]) => {
    const isOffered = name.startsWith(prefix) && !withheld.has(name);
    return isOffered && value !== undefined && value !== '' ? [[name, value] as const] : [];
  });
  return {
    environmentPrefix: prefix,
    environment: Object.fromEntries(given),
    keyVaultUrl: values.KEY_VAULT_URL?.replace(/\/+$/, ''),
  };
}

const anyAddress = { bits: 32, value: 0n } as const;

function isDestination(entry: string): boolean {
  if (parseIpAddress(entry) !== undefined) return true;
  if (entry.includes('/')) return isInRange(anyAddress, entry) !== undefined;
  return /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(entry) && !/^[\d.]+$/.test(entry);
}
