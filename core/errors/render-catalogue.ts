/** The page that documents every refusal and every rule of playbook validation. */

import { type CatalogueEntry, catalogue } from './catalogue.ts';

/** A rule of validation, as far as its documentation goes. */
export type DocumentedRule = { readonly severity: 'error' | 'warning'; readonly says: string };

export function renderErrorsPage(rules: Readonly<Record<string, DocumentedRule>>): string {
  return `${[
    '# Errors',
    '',
    'Generated from the catalogue in `core/errors` and the rules in `core/cacao`; do not edit.',
    '',
    'Every answer with a status of 400 or more has the general error object as its body:',
    '`status` (the HTTP status as text), `message`, and where it helps `original-call`,',
    '`downstream-call` and `findings`. In production `original-call` is left out. Programs should',
    'decide by the HTTP status; the sentences may change.',
    '',
    '## Refusals',
    '',
    '| Status | Code | Message |',
    '|---|---|---|',
    ...refusalRows(),
    '',
    '## Rules of playbook validation',
    '',
    'An error refuses the playbook with `playbook-invalid`; a warning does not. All findings are',
    'listed, each with its rule, its severity, a JSON pointer to the place and a message.',
    '',
    '| Rule | Severity | What it asks for |',
    '|---|---|---|',
    ...Object.entries(rules).map(
      ([name, { severity, says }]) => `| \`${name}\` | ${severity} | ${cell(says)} |`,
    ),
  ].join('\n')}\n`;
}

function refusalRows(): readonly string[] {
  const rows: readonly (readonly [string, CatalogueEntry])[] = Object.entries(catalogue);
  return rows
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${cell(message)} |`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
}
