/**
 * References to secrets. In place of a secret, authentication information may say where it is kept:
 * `env:NAME`, `keyvault:name` or `@Microsoft.KeyVault(...)`. They count only where a playbook itself writes
 * them: a value that got into a variable is never looked up.
 */

/** Members of authentication information that hold a secret, in any of its CACAO types. */
export const secretMembers: readonly string[] = [
  'password',
  'token',
  'private_key',
  'passphrase',
  'client_secret',
  'api_key',
];

/** Whether the text says where a secret is kept, well-formed or not. */
export function isSecretReference(text: string): boolean {
  return /^(env:|keyvault:|@Microsoft\.KeyVault\()/i.test(text);
}
