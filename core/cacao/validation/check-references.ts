/** References: everything a playbook points at is there (the safety check of the contract). */

import {
  type Draft,
  type DraftStep,
  isIdentifier,
  isJsonObject,
  type Json,
  memberOf,
  objectsIn,
  type Placed,
  textOf,
  textsIn,
} from './draft.ts';
import type { Report } from './report.ts';
import type { RuleId } from './rules.ts';

export function checkReferences(draft: Draft, report: Report): void {
  checkEntries(draft, report);
  for (const step of draft.steps.values()) checkStep(draft, step, report);
  checkDefinitions(draft, report);
  checkMarkings(draft.root, report);
}

function checkEntries({ root, steps }: Draft, report: Report): void {
  for (const [name, rule] of [
    ['workflow_start', 'start-missing'],
    ['workflow_exception', 'exception-missing'],
  ] as const) {
    const id = textOf(root[name]);
    if (id !== undefined && isIdentifier(id) && !steps.has(id)) {
      report(rule, [name], `Property ${name} names ${id}, which is not in the workflow.`);
    }
  }
  const id = textOf(root['id']);
  if (id !== undefined && isIdentifier(id) && !id.startsWith('playbook--')) {
    report('id-prefix', ['id'], `The id ${id} does not begin with playbook--.`);
  }
}

const successors: readonly (readonly [member: string, rule: RuleId])[] = [
  ['on_completion', 'step-missing'],
  ['on_success', 'step-missing'],
  ['on_failure', 'step-missing'],
  ['on_true', 'branch-missing'],
  ['on_false', 'branch-missing'],
  ['next_steps', 'branch-missing'],
  ['cases', 'branch-missing'],
];

function checkStep({ root, steps }: Draft, step: DraftStep, report: Report): void {
  for (const [member, rule] of successors) {
    for (const { value, path } of textsIn(step.json, member, step.path)) {
      if (isIdentifier(value) && !steps.has(value)) {
        report(rule, path, `Step ${step.id} leads to ${value}, which is not in the workflow.`);
      }
    }
  }
  for (const reference of textsIn(step.json, 'agent', step.path)) {
    checkDefined(
      root,
      ['agent_definitions'],
      'agent-missing',
      `Step ${step.id}`,
      reference,
      report,
    );
  }
  for (const reference of textsIn(step.json, 'targets', step.path)) {
    const where = ['target_definitions', 'targets'];
    checkDefined(root, where, 'target-missing', `Step ${step.id}`, reference, report);
  }
  checkAuthentication(root, `Step ${step.id}`, step.json, step.path, report);
}

function checkDefinitions({ root }: Draft, report: Report): void {
  for (const [member, kind] of [
    ['agent_definitions', 'Agent'],
    ['target_definitions', 'Target'],
    ['targets', 'Target'],
  ] as const) {
    for (const { key, value, path } of objectsIn(root, member, [])) {
      checkAuthentication(root, `${kind} ${key}`, value, path, report);
      checkEmails(value, path, report);
    }
  }
}

function checkAuthentication(
  root: Json,
  who: string,
  owner: Json,
  path: Placed<string>['path'],
  report: Report,
): void {
  for (const reference of textsIn(owner, 'authentication_info', path)) {
    const where = ['authentication_info_definitions'];
    checkDefined(root, where, 'authentication-missing', who, reference, report);
  }
}

function checkDefined(
  root: Json,
  definitions: readonly string[],
  rule: RuleId,
  who: string,
  { value, path }: Placed<string>,
  report: Report,
): void {
  if (!isIdentifier(value)) return;
  if (definitions.some((name) => memberOf(root[name], value) !== undefined)) return;
  report(rule, path, `${who} refers to ${value}, which is not in ${definitions[0]}.`);
}

function checkMarkings(root: Json, report: Report): void {
  for (const { value, path } of textsIn(root, 'markings', [])) {
    if (!isIdentifier(value) || memberOf(root['data_marking_definitions'], value) !== undefined)
      continue;
    report('marking-missing', path, `Marking ${value} is not in data_marking_definitions.`);
  }
}

function checkEmails(definition: Json, path: Placed<string>['path'], report: Report): void {
  const contact = definition['contact'];
  if (!isJsonObject(contact)) return;
  for (const email of textsIn(contact, 'email', [...path, 'contact'])) {
    if (!looksLikeEmail(email.value)) {
      report(
        'email-address',
        email.path,
        `Contact ${String(email.path.at(-1))} is not an e-mail address.`,
      );
    }
  }
}

/** `name@host`, alone or in angle brackets after a display name (RFC 5322); variables pass. */
function looksLikeEmail(text: string): boolean {
  if (text.includes('__:value')) return true;
  const bracketed = /^[^<>]*<([^<>]+)>\s*$/u.exec(text);
  return /^[^\s@<>]+@[^\s@<>]+$/u.test(bracketed?.[1] ?? text.trim());
}
