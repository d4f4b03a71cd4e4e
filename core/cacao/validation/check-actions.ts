/** Actions: who carries them out, against what, with which commands. */

import { resolveCapability, targetlessCapabilities } from '../resolve-capability.ts';
import { commandTypes } from '../schema/command.ts';
import {
  commandsIn,
  type Draft,
  type DraftStep,
  isJsonObject,
  type Json,
  memberOf,
  type Placed,
  textOf,
  textsIn,
} from './draft.ts';
import type { ValidationOptions } from './options.ts';
import type { Report } from './report.ts';

export function checkActions(draft: Draft, options: ValidationOptions, report: Report): void {
  for (const step of draft.steps.values()) {
    if (step.type === 'action' || step.type === 'single') checkAction(draft, step, options, report);
    checkRecursion(draft, step, report);
  }
}

/** The native capability of the step's agent, as far as it is known before the execution. */
export function capabilityOf(
  { root }: Draft,
  step: DraftStep,
  { knownCapabilities, agentPrefixes }: ValidationOptions,
): string | undefined {
  const agent = agentOf(root, step);
  const type = textOf(agent?.['type']);
  const name = textOf(agent?.['name']);
  if (type === undefined || name === undefined) return undefined;
  return resolveCapability({ type, name }, knownCapabilities, agentPrefixes);
}

function checkAction(
  draft: Draft,
  step: DraftStep,
  options: ValidationOptions,
  report: Report,
): void {
  const commands = commandsIn(step);
  if (commands.length === 0 && step.type === 'single') {
    report('no-commands', step.path, `Step ${step.id} has no commands.`);
  }
  if (step.json['agent'] === undefined && step.type === 'single') {
    report('no-agent', step.path, `Step ${step.id} names no agent, so nobody can carry it out.`);
  }
  const capability = capabilityOf(draft, step, options);
  checkAgent(draft.root, step, capability, options, report);
  if (capability !== undefined && !targetlessCapabilities.has(capability)) {
    if (textsIn(step.json, 'targets', step.path).length === 0) {
      report(
        'no-targets',
        step.path,
        `Step ${step.id} has no targets, so ${capability} cannot run it.`,
      );
    }
  }
  for (const command of commands) checkCommand(step, command, capability, report);
}

function checkAgent(
  root: Json,
  step: DraftStep,
  capability: string | undefined,
  { knownCapabilities }: ValidationOptions,
  report: Report,
): void {
  const name = textOf(agentOf(root, step)?.['name']);
  if (capability !== undefined || name === undefined) return;
  if (knownCapabilities.has(name) || name.includes('__:value')) return;
  const path = [...step.path, 'agent'];
  report(
    'no-capability',
    path,
    `Step ${step.id} has the agent ${shorten(name)}, which is no known capability.`,
  );
}

function checkCommand(
  step: DraftStep,
  { value: command, path }: Placed<Json>,
  capability: string | undefined,
  report: Report,
): void {
  const type = textOf(command['type']);
  if (type === undefined) return;
  const who = `Command ${Number(path.at(-1)) + 1 || 1} of step ${step.id}`;
  const known = Object.hasOwn(commandTypes, type) ? commandTypes[type] : undefined;
  if (known === undefined) {
    report('unknown-command', [...path, 'type'], `${who} has the unknown type ${shorten(type)}.`);
  } else if (capability !== undefined && !known.capabilities.includes(capability)) {
    const message = `${who} has the type ${type}, but its agent is ${capability}.`;
    report('command-mismatch', [...path, 'type'], message);
  }
  const needs = known?.needs ?? ['type'];
  if (needs.every((member) => (command[member] ?? '') === '')) {
    report('empty-command', path, `${who} has no ${needs.join(' or ')}.`);
  }
  for (const member of ['command_b64', 'content_b64']) {
    const text = textOf(command[member]);
    if (text !== undefined && !isBase64(text)) {
      report('not-base64', [...path, member], `${who} has a ${member} that is not base64.`);
    }
  }
}

function checkRecursion({ root }: Draft, step: DraftStep, report: Report): void {
  const id = step.json['playbook_id'];
  if (step.type !== 'playbook-action' || id === undefined || id !== root['id']) return;
  report(
    'calls-itself',
    [...step.path, 'playbook_id'],
    `Step ${step.id} runs the playbook it is part of.`,
  );
}

function agentOf(root: Json, step: DraftStep): Json | undefined {
  const agent = memberOf(root['agent_definitions'], textOf(step.json['agent']) ?? '');
  return isJsonObject(agent) ? agent : undefined;
}

/** RFC 4648, line breaks allowed, padding optional. */
function isBase64(text: string): boolean {
  const compact = text.replace(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(compact) && compact.replace(/=+$/, '').length % 4 !== 1;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
