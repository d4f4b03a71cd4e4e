/**
 * What a caldera command asks for: an ability the server has, by id, or the definition of a new one, in
 * YAML as the server's own abilities are, or in JSON, which YAML contains.
 */

import { parse } from 'yaml';
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
  return readDefinition(trimmed);
}

function readDefinition(text: string): AbilityAsked {
  let parsed: unknown;
  try {
    parsed = parse(text, { maxAliasCount: 0 });
  } catch {
    return unusable(
      'The command is neither an ability id nor an ability definition in YAML or JSON.',
    );
  }
  const only = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (!isRecord(only))
    return unusable('The command is neither an ability id nor one ability definition.');
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
