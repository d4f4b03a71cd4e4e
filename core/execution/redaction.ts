/**
 * Redaction by value: whatever text a secret has got into, the secret's value is replaced by `***`.
 * Shorter values than four characters are left alone; they would hide half of every report.
 */

import { interpolate } from '../cacao/interpolate.ts';
import type { Playbook } from '../cacao/playbook.ts';
import { isSecretReference, secretMembers } from '../cacao/secret-reference.ts';
import { lookupIn } from '../cacao/variables.ts';
import type { Variables } from './run.ts';

export type Redact = (text: string) => string;

const SHORTEST_SECRET = 4;

/** The texts in a playbook's authentication information that are secrets once variables are inserted. */
export function secretTexts(
  definitions: Playbook['authentication_info_definitions'],
): readonly string[] {
  return Object.values(definitions ?? {}).flatMap((info) =>
    Object.entries(info).flatMap(([member, value]) =>
      secretMembers.includes(member) && typeof value === 'string' && value !== '' ? [value] : [],
    ),
  );
}

/**
 * Hides the secrets these texts become with these variables, and each value that is inserted into them.
 * A reference to a secret is none.
 */
export function redactorOf(texts: readonly string[], variables: Variables): Redact {
  const lookup = lookupIn(variables);
  const secrets: string[] = [];
  for (const text of texts) {
    if (isSecretReference(text)) continue;
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
  const hidden = [...new Set(secrets.flatMap(spellings))].sort(
    (left, right) => right.length - left.length,
  );
  if (hidden.length === 0) return (text) => text;
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

/** A target that sends a secret back may have put it into JSON, a URL or base64. */
function spellings(secret: string): readonly string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const bytes = Buffer.from(secret, 'utf8');
  const inBase64 = bytes.toString('base64').replace(/=+$/, '');
  // Headers carry UTF-8, which many servers read as Latin-1.
  const texts = [secret, bytes.toString('latin1')];
  const inJson = texts.map((text) => JSON.stringify(text).slice(1, -1));
  return [...texts, ...inJson, inBase64, ...inUrls(secret)];
}

/** As a component of its own, and as a path and a query come out of the platform's URL parser. */
function inUrls(secret: string): readonly string[] {
  // A lone surrogate cannot be written into a URL.
  const text = secret.toWellFormed();
  const url = new URL('http://host');
  url.pathname = `/${text}`;
  url.search = `?${text}`;
  return [encodeURIComponent(text), url.pathname.slice(1), url.search.slice(1)];
}

/** The same tree with every text in it redacted; names of members stay. */
export function redactTexts<Tree>(tree: Tree, redact: Redact): Tree {
  const reviver = (_name: string, value: unknown) =>
    typeof value === 'string' ? redact(value) : value;
  return JSON.parse(JSON.stringify(tree), reviver);
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
