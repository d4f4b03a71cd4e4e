import { describe, expect, test } from 'vitest';
import { isDraft, unboundParts } from '../../../../core/cacao/validation/unbound.ts';
import type { Finding } from '../../../../core/errors/finding.ts';

const found = (rule: string, severity: Finding['severity'] = 'error'): Finding => ({
  rule,
  severity,
  pointer: '',
  message: rule,
});

describe('a draft', () => {
  test.each<[string, readonly Finding[], boolean]>([
    ['has at least one error', [], false],
    ['is not made by warnings alone', [found('no-capability', 'warning')], false],
    ['lacks commands', [found('no-commands')], true],
    ['may have any warnings', [found('agent-missing'), found('unreachable', 'warning')], true],
    ['has no other error', [found('no-commands'), found('step-missing')], false],
    ['is not one with a rule nobody knows', [found('constructor')], false],
  ])('%s', (_, findings, expected) => {
    expect(isDraft(findings)).toBe(expected);
  });

  test('lists what would fail at run time beside what is an error', () => {
    const findings = [
      found('no-commands'),
      found('unreachable', 'warning'),
      found('condition', 'warning'),
    ];

    expect(unboundParts(findings).map(({ rule }) => rule)).toEqual(['no-commands', 'condition']);
  });
});
