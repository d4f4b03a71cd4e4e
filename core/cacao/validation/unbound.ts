/**
 * Drafts: playbooks that lack only what a site has to fill in, such as agents and commands. They may be
 * kept, but not executed.
 */

import type { Finding } from '../../errors/finding.ts';
import { type Rule, validationRules } from './rules.ts';

const unboundRules: ReadonlySet<string> = new Set(
  Object.entries(validationRules).flatMap(([id, rule]: [string, Rule]) =>
    rule.unbound === true ? [id] : [],
  ),
);

/** What is to be bound, in document order; what only would fail when it is executed, too. */
export function unboundParts(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ rule }) => unboundRules.has(rule));
}

/** There are errors, and each is about something to be bound. */
export function isDraft(findings: readonly Finding[]): boolean {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return errors.length > 0 && unboundParts(errors).length === errors.length;
}
