/** `in_args` and `out_args` are a list of names (CACAO 2.0) or a map of variables (the contract). */

import type { Variable, Variables } from './model.ts';
import { variableIn } from './variables.ts';

export type Arguments = readonly string[] | { readonly [name: string]: unknown } | undefined;

/** The names, in order, without repetition. */
export function argumentNames(args: Arguments): readonly string[] {
  if (args === undefined) return [];
  return [...new Set(isList(args) ? args : Object.keys(args))];
}

/** The variables meant: as declared in the map form, else as known in the scope, else a string. */
export function argumentVariables(args: Arguments, scope: Variables): Variables {
  return Object.fromEntries(
    argumentNames(args).map((name) => [
      name,
      declared(args, name) ?? variableIn(scope, name) ?? unknownVariable,
    ]),
  );
}

const unknownVariable: Variable = { type: 'string' };

function declared(args: Arguments, name: string): Variable | undefined {
  if (args === undefined || isList(args)) return undefined;
  const entry = args[name];
  if (typeof entry !== 'object' || entry === null || !('type' in entry)) return undefined;
  if (typeof entry.type !== 'string') return undefined;
  const value = 'value' in entry && typeof entry.value === 'string' ? { value: entry.value } : {};
  const description =
    'description' in entry && typeof entry.description === 'string'
      ? { description: entry.description }
      : {};
  return { type: entry.type, ...value, ...description };
}

function isList(
  args: readonly string[] | { readonly [name: string]: unknown },
): args is readonly string[] {
  return Array.isArray(args);
}
