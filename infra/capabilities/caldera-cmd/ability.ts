/**
 * What a caldera command asks for: an ability the server has, by id, or the definition of a new one. A
 * definition is JSON in command_b64; YAML is refused with a sentence that says so.
 */

import type { Invocation } from '../../../core/ports/capability.ts';
import { isRecord } from './json-shape.ts';

export type AbilityAsked =
  | { readonly kind: 'existing'; readonly abilityId: string }
  | { readonly kind: 'definition'; readonly definition: { readonly [key: string]: unknown } }
  | { readonly kind: 'unusable'; readonly problem: string };

const idPattern = /^(?:id:\s*)?([A-Za-z0-9_-]+)$/;

export function readAbility({ text }: Pick<Invocation, 'text'>): AbilityAsked {
  const trimmed = text.trim();
  if (trimmed === '') return unusable('The command is empty.');
  const abilityId = idPattern.exec(trimmed)?.[1];
  if (abilityId !== undefined) return { kind: 'existing', abilityId };
  if (/^[[{]/.test(trimmed)) return readDefinition(trimmed);
  return unusable('The command is neither an ability id nor an ability definition in JSON.');
}

function readDefinition(text: string): AbilityAsked {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unusable('The ability definition is not valid JSON.');
  }
  const only = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (!isRecord(only)) return unusable('The ability definition is not one JSON object.');
  if (!Array.isArray(only['executors']) || only['executors'].length === 0) {
    return unusable('The ability definition has no executors.');
  }
  // The new ability is deleted in the end: under an id of its own it cannot be mistaken for a lasting one.
  const { id: _id, ability_id: _abilityId, ...definition } = only;
  return { kind: 'definition', definition };
}

function unusable(problem: string): AbilityAsked {
  return { kind: 'unusable', problem };
}
