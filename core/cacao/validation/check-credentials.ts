/** Secrets written into a playbook travel with it wherever it goes. */

import { isSecretReference } from '../secret-reference.ts';
import { type Draft, objectsIn, textOf } from './draft.ts';
import type { Report } from './report.ts';

const secrets = ['password', 'token', 'private_key', 'passphrase'];

export function checkCredentials({ root }: Draft, report: Report): void {
  for (const { key, value, path } of objectsIn(root, 'authentication_info_definitions', [])) {
    for (const secret of secrets) {
      const text = textOf(value[secret]);
      if (text === undefined || text === '' || text.includes('__:value')) continue;
      if (isSecretReference(text)) continue;
      const message = `Authentication information ${key} holds its ${secret} as plain text; use a variable or a reference.`;
      report('inline-credential', [...path, secret], message);
    }
  }
}
