import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseJsonText } from '../../../core/cacao/parse-json-text.ts';
import { nativeCapabilities } from '../../../core/cacao/resolve-capability.ts';
import { isDraft } from '../../../core/cacao/validation/unbound.ts';
import { validatePlaybook } from '../../../core/cacao/validation/validate-playbook.ts';

/** Every playbook of the corpus stands beside its verdict, so a stricter rule shows what it newly refuses. */
const corpus = new URL('../../corpus/', import.meta.url);
const names = readdirSync(corpus)
  .filter((file) => file.endsWith('.json') && !file.endsWith('.verdict.json'))
  .map((file) => file.slice(0, -'.json'.length));

const options = {
  knownCapabilities: new Set<string>(nativeCapabilities),
  agentPrefixes: ['svc', 'soarca'],
};

describe('the corpus', () => {
  test.each(names)('%s gets its verdict', (name) => {
    const parsed = parseJsonText(readFileSync(new URL(`${name}.json`, corpus), 'utf8'));
    const verdict = JSON.parse(readFileSync(new URL(`${name}.verdict.json`, corpus), 'utf8'));

    const { valid, findings } = validatePlaybook(parsed.ok ? parsed.value : undefined, options);

    expect({
      valid,
      ...(isDraft(findings) ? { draft: true } : {}),
      findings: findings.map(({ severity, rule, pointer }) => `${severity} ${rule} ${pointer}`),
    }).toEqual(verdict);
  });
});
