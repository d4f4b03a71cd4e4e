/** The playbook as the rest of the product sees it: its types, and the parser at the edge. */

import type { Finding } from '../errors/finding.ts';
import type { JsonObject } from '../json.ts';
import type { Playbook } from './model.ts';
import type { ValidationOptions } from './validation/options.ts';
import { validatePlaybook } from './validation/validate-playbook.ts';

export type {
  Agent,
  AgentTarget,
  AuthenticationInfo,
  Command,
  Playbook,
  Variable,
  Variables,
  WorkflowStep,
} from './model.ts';

/** `findings` are warnings beside a playbook, errors and warnings without one. */
export type ParsedPlaybook =
  | { readonly ok: true; readonly playbook: Playbook; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** The playbook is the very object given: nothing is dropped, added or copied. */
export function parsePlaybook(json: unknown, options: ValidationOptions): ParsedPlaybook {
  const { valid, findings } = validatePlaybook(json, options);
  return valid ? { ok: true, playbook: json as Playbook, findings } : { ok: false, findings };
}

/**
 * Looks at a document as a playbook without checking anything: for documents that were validated
 * before they were stored.
 */
export function viewPlaybook(document: JsonObject): Playbook {
  return document as unknown as Playbook;
}
