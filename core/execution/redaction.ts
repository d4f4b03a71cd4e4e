/**
 * Redaction by value: whatever text a secret has got into, the secret's value is replaced by `***`.
 * Shorter values than four characters are left alone; they would hide half of every report.
 */

import type { Playbook } from '../cacao/playbook.ts';
import type { Variables } from './run.ts';

export type Redact = (text: string) => string;

const SHORTEST_SECRET = 4;

/** Members of authentication information that hold a secret, in any of its CACAO types. */
const secretMembers = new Set([
  'password',
  'token',
  'private_key',
  'passphrase',
  'oauth_header',
  'client_secret',
  'api_key',
]);

/** The secrets of a playbook's authentication information once `resolve` has filled in variables. */
export function secretsOf(
  definitions: Playbook['authentication_info_definitions'],
  resolve: (text: string) => string,
): readonly string[] {
  return Object.values(definitions ?? {}).flatMap((info) =>
    Object.entries(info).flatMap(([member, value]) =>
      secretMembers.has(member) && typeof value === 'string' ? [resolve(value)] : [],
    ),
  );
}

/** Longest secrets first, so that a secret containing another one is hidden whole. */
export function redactor(secrets: readonly string[]): Redact {
  const hidden = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((left, right) => right.length - left.length);
  if (hidden.length === 0) return (text) => text;
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

export function redactVariables(variables: Variables, redact: Redact): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      typeof variable.value === 'string'
        ? { ...variable, value: redact(variable.value) }
        : variable,
    ]),
  );
}
