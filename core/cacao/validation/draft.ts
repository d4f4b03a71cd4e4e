/**
 * A playbook under examination: JSON of any shape, read without trusting it. The checks see what is there and
 * pass over what is not; wrong shapes are the schema's business.
 */

import { identifierPattern } from '../ids.ts';

export type Json = { readonly [key: string]: unknown };
export type Path = readonly (string | number)[];
/** A member and where it is. */
export type Placed<Value> = { readonly value: Value; readonly path: Path };

export type DraftStep = {
  readonly id: string;
  readonly type: string | undefined;
  readonly json: Json;
  readonly path: Path;
};

export type Draft = {
  readonly root: Json;
  readonly steps: ReadonlyMap<string, DraftStep>;
};

export function readDraft(root: Json): Draft {
  const steps = objectsIn(root, 'workflow', []).map(({ key, value, path }) => {
    return [key, { id: key, type: textOf(value['type']), json: value, path }] as const;
  });
  return { root, steps: new Map(steps) };
}

export function isJsonObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The member's entries that are objects, in order. */
export function objectsIn(
  parent: Json,
  name: string,
  path: Path,
): readonly (Placed<Json> & { readonly key: string })[] {
  return membersOf(parent[name]).flatMap(([key, value]) =>
    isJsonObject(value) ? [{ key, value, path: [...path, name, key] }] : [],
  );
}

/** Texts held by a member: the member itself, its list, or the values of its map. */
export function textsIn(parent: Json, name: string, path: Path): readonly Placed<string>[] {
  const member = parent[name];
  if (typeof member === 'string') return [{ value: member, path: [...path, name] }];
  const entries = Array.isArray(member) ? [...member.entries()] : membersOf(member);
  return entries.flatMap(([key, value]) =>
    typeof value === 'string' ? [{ value, path: [...path, name, key] }] : [],
  );
}

/** Every text below a value, however deep. The document's depth is limited before. */
export function allTexts(value: unknown, path: Path): readonly Placed<string>[] {
  if (typeof value === 'string') return [{ value, path }];
  const entries = Array.isArray(value) ? [...value.entries()] : membersOf(value);
  return entries.flatMap(([key, member]) => allTexts(member, [...path, key]));
}

/** Own members only: names the language would inherit are not members. */
export function memberOf(parent: unknown, name: string): unknown {
  return isJsonObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined;
}

export function membersOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The commands of an action or single step that are objects. */
export function commandsIn(step: DraftStep): readonly Placed<Json>[] {
  const single = step.json['command'];
  if (step.type === 'single' && step.json['commands'] === undefined && isJsonObject(single)) {
    return [{ value: single, path: [...step.path, 'command'] }];
  }
  const list = step.json['commands'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value, index) =>
    isJsonObject(value) ? [{ value, path: [...step.path, 'commands', index] }] : [],
  );
}

/** Names listed by in_args or out_args, in either form. */
export function argumentsIn(step: DraftStep, name: 'in_args' | 'out_args'): readonly string[] {
  const args = step.json[name];
  if (Array.isArray(args)) return args.filter((arg) => typeof arg === 'string');
  return membersOf(args).map(([key]) => key);
}

const identifier = new RegExp(identifierPattern, 'u');

/** Malformed references are reported by the schema; only well-formed ones can dangle. */
export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}
