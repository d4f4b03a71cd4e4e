/** The secrets of this installation that playbooks may refer to: environment variables and a key vault. */

import type { SecretConfig } from '../../core/config/config.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { SecretVault } from '../../core/ports/secret-vault.ts';
import type { TokenSource } from '../capabilities/oauth2/token-source.ts';
import type { KeyVault } from './key-vault.ts';
import { readReference } from './read-reference.ts';

export type SecretVaultParts = {
  readonly config: SecretConfig;
  readonly clock: Clock;
  /** In place of the host's managed identity. */
  readonly tokens?: TokenSource;
};

export function createSecretVault({ config, clock, tokens }: SecretVaultParts): SecretVault {
  const { environment, environmentPrefix, keyVaultUrl } = config;
  let keyVault: KeyVault | undefined;

  async function openKeyVault(url: string): Promise<KeyVault> {
    const { createKeyVault, vaultResource } = await import('./key-vault.ts');
    const source = tokens ?? (await hostTokens(vaultResource(url)));
    keyVault ??= createKeyVault({ url, clock, tokens: source });
    return keyVault;
  }

  const variable = (name: string) =>
    name.startsWith(environmentPrefix) && Object.hasOwn(environment, name)
      ? environment[name]
      : undefined;

  return {
    async resolve(reference, signal) {
      const wanted = readReference(reference, keyVaultUrl);
      if (wanted.kind === 'refused') return refuse(wanted.reason);
      if (wanted.kind === 'key-vault') {
        return (keyVault ?? (await openKeyVault(wanted.url))).read(wanted, signal);
      }
      const { name } = wanted;
      if (!name.startsWith(environmentPrefix)) {
        return refuse(
          `Playbooks may refer to variables that begin with ${environmentPrefix} only.`,
        );
      }
      const value = variable(name);
      return value === undefined
        ? refuse(`There is no secret in the environment variable ${name}.`)
        : { ok: true, value };
    },
    peek(reference) {
      const wanted = readReference(reference, keyVaultUrl);
      if (wanted.kind === 'environment') return variable(wanted.name);
      return wanted.kind === 'key-vault' ? keyVault?.lastRead(wanted) : undefined;
    },
  };
}

/** Of its own, because playbooks may not ask the identity of the host for the vault. */
async function hostTokens(resource: string): Promise<TokenSource> {
  const { createMsalTokenSource } = await import('../capabilities/oauth2/msal-token-source.ts');
  return createMsalTokenSource({
    skipCertificateCheck: false,
    managedIdentityResources: [resource],
  });
}

function refuse(error: string) {
  return { ok: false, status: 'client_side_error', error } as const;
}
