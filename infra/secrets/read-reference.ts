/**
 * Understands references to secrets:
 *
 *   env:NAME
 *   keyvault:name            keyvault:name/version
 *   @Microsoft.KeyVault(SecretUri=https://<vault>/secrets/<name>[/<version>])
 *   @Microsoft.KeyVault(VaultName=<vault>;SecretName=<name>[;SecretVersion=<version>])
 *
 * The last two are how settings of Azure Functions refer to secrets; they may name the configured vault only.
 */

export type Reference =
  | { readonly kind: 'environment'; readonly name: string }
  | {
      readonly kind: 'key-vault';
      readonly url: string;
      readonly secret: string;
      readonly version: string | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** `vaultUrl` has no trailing slash; undefined while no vault is configured. */
export function readReference(text: string, vaultUrl: string | undefined): Reference {
  const variable = /^env:(.*)$/is.exec(text)?.[1];
  if (variable !== undefined) {
    const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable);
    return isName ? { kind: 'environment', name: variable } : refused(shape);
  }
  const named = readNamed(text);
  if (named === undefined) return refused(shape);
  if (vaultUrl === undefined) {
    return refused('The secret is in a key vault, but KEY_VAULT_URL names none.');
  }
  if (!isSameVault(named.vault, new URL(vaultUrl))) {
    return refused('Playbooks may refer to secrets of the configured key vault only.');
  }
  return { kind: 'key-vault', url: vaultUrl, secret: named.secret, version: named.version };
}

const shape =
  'A reference to a secret reads env:NAME, keyvault:name or @Microsoft.KeyVault(SecretUri=...).';

type Named = {
  /** An origin, a bare name, or undefined for the configured vault. */
  readonly vault: string | undefined;
  readonly secret: string;
  readonly version: string | undefined;
};

function readNamed(text: string): Named | undefined {
  const short = /^keyvault:([^/]+)(?:\/([^/]+))?$/i.exec(text);
  if (short !== null) return checked(undefined, short[1], short[2]);
  const long = /^@Microsoft\.KeyVault\((.*)\)$/i.exec(text)?.[1];
  if (long === undefined) return undefined;
  const parts = new Map(
    long.split(';').map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()] as const;
    }),
  );
  const uri = URL.parse(parts.get('secreturi') ?? '');
  if (uri === null) {
    return checked(parts.get('vaultname'), parts.get('secretname'), parts.get('secretversion'));
  }
  const [, collection, secret, version] = uri.pathname.replace(/\/$/, '').split('/');
  return collection === 'secrets' ? checked(uri.origin, secret, version) : undefined;
}

/** What a vault allows in names and versions; anything else could lead to another path. */
function checked(
  vault: string | undefined,
  secret: string | undefined,
  version: string | undefined,
): Named | undefined {
  const isName = /^[A-Za-z0-9-]{1,127}$/;
  if (secret === undefined || !isName.test(secret)) return undefined;
  const wanted = version === '' ? undefined : version;
  if (wanted !== undefined && !isName.test(wanted)) return undefined;
  return { vault, secret, version: wanted };
}

function isSameVault(vault: string | undefined, configured: URL): boolean {
  if (vault === undefined) return true;
  const name = vault.toLowerCase();
  return name === configured.origin || name === configured.hostname.split('.')[0];
}

function refused(reason: string): Reference {
  return { kind: 'refused', reason };
}
