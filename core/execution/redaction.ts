/**
 * Redaction by value: whatever text a secret has got into, the secret's value is replaced by `***`.
 * Shorter values than four characters are left alone; they would hide half of every report.
 */

import { interpolate } from '../cacao/interpolate.ts';
import type { Playbook } from '../cacao/playbook.ts';
import { lookupIn } from '../cacao/variables.ts';
import type { Variables } from './run.ts';

export type Redact = (text: string) => string;

const SHORTEST_SECRET = 4;

/** Members of authentication information that hold a secret, in any of its CACAO types. */
const secretMembers = new Set([
  'password',
  'token',
  'private_key',
  'passphrase',
  'client_secret',
  'api_key',
]);

/** The texts in a playbook's authentication information that are secrets once variables are inserted. */
export function secretTexts(
  definitions: Playbook['authentication_info_definitions'],
): readonly string[] {
  return Object.values(definitions ?? {}).flatMap((info) =>
    Object.entries(info).flatMap(([member, value]) =>
      secretMembers.has(member) && typeof value === 'string' && value !== '' ? [value] : [],
    ),
  );
}

/** Hides the secrets these texts become with these variables, and each value that is inserted into them. */
export function redactorOf(texts: readonly string[], variables: Variables): Redact {
  const lookup = lookupIn(variables);
  const secrets: string[] = [];
  for (const text of texts) {
    const whole = interpolate(text, (name) => {
      const value = lookup(name);
      if (value !== undefined) secrets.push(value);
      return value;
    });
    secrets.push(whole);
  }
  return redactor(secrets);
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
