/**
 * Tells whether a playbook can be stored and executed, and all that is wrong or doubtful about it.
 *
 * V1  Any JSON is answered, never with an exception.
 * V2  All findings at once, in document order, none twice; a message never repeats a secret.
 * V3  Linear in the size of the document.
 * V4  A playbook without errors has the shape of the type `Playbook`.
 */

import type { Finding } from '../../errors/finding.ts';
import { measureJson, NESTING_LIMIT } from '../json-shape.ts';
import { checkActions } from './check-actions.ts';
import { checkBundle, isBundle } from './check-bundle.ts';
import { checkConditions } from './check-conditions.ts';
import { checkCredentials } from './check-credentials.ts';
import { checkFlow } from './check-flow.ts';
import { checkReferences } from './check-references.ts';
import { checkVariables } from './check-variables.ts';
import { inDocumentOrder } from './document-order.ts';
import { isJsonObject, readDraft } from './draft.ts';
import type { ValidationOptions } from './options.ts';
import { collectFindings, type PlacedFinding } from './report.ts';
import { checkCustomSchema, checkSchema } from './schema-check.ts';

/** What a validation found. Only errors make a playbook invalid. */
export type Validation = { readonly valid: boolean; readonly findings: readonly Finding[] };

const FINDINGS_LIMIT = 1000;

export function validatePlaybook(json: unknown, options: ValidationOptions): Validation {
  const found = collectFindings();
  const { depth, values } = measureJson(json);
  if (depth > NESTING_LIMIT) {
    found.report(
      'nested-too-deep',
      [],
      `The playbook is nested deeper than ${NESTING_LIMIT} levels.`,
    );
    return conclude(json, found.all());
  }
  if (!isJsonObject(json)) {
    found.report('not-an-object', [], 'The playbook is not a JSON object.');
    return conclude(json, found.all());
  }
  if (isBundle(json)) {
    checkBundle(json, (playbook) => validatePlaybook(playbook, options).findings, found);
    return conclude(json, found.all());
  }
  const { customSchema } = options;
  checkSchema(json, values, customSchema === undefined ? 'everything' : 'structure', found.report);
  if (customSchema !== undefined) checkCustomSchema(json, customSchema, found.report);
  const draft = readDraft(json);
  checkReferences(draft, found.report);
  checkFlow(draft, found.report);
  checkActions(draft, options, found.report);
  checkVariables(draft, options, found.report);
  checkConditions(draft, found.report);
  checkCredentials(draft, found.report);
  return conclude(json, found.all());
}

function conclude(json: unknown, found: readonly PlacedFinding[]): Validation {
  const valid = found.every(({ severity }) => severity === 'warning');
  const findings = inDocumentOrder(json, found).map(withoutPath);
  if (findings.length <= FINDINGS_LIMIT) return { valid, findings };
  const message = `There are ${findings.length - FINDINGS_LIMIT} more findings.`;
  const severity = valid ? 'warning' : 'error';
  const more: Finding = { rule: 'more-findings', severity, pointer: '', message };
  return { valid, findings: [...findings.slice(0, FINDINGS_LIMIT), more] };
}

function withoutPath({ rule, severity, pointer, message }: PlacedFinding): Finding {
  return { rule, severity, pointer, message };
}
