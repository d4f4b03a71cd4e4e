/** One variable of the configuration: everything the reader and the documentation need to know. */

import type { Kind } from './kinds.ts';

export type Variable<Value> = {
  readonly kind: Kind<unknown>;
  readonly default: Value;
  /** One or two sentences for the table in the README, with the unit where there is one. */
  readonly meaning: string;
  /** How the default reads in the table when the value itself does not say it. */
  readonly shownDefault?: string;
  /** Never shown in an error, and handed to the redactor. */
  readonly secret?: true;
  /** A bad value is replaced by the default with a warning instead of stopping the start. */
  readonly lenient?: true;
  /** Name of the switch without which this variable is not used; bad values are then only warned about. */
  readonly partOf?: string;
  /** Empty is a value of its own, not the same as unset. */
  readonly emptyCounts?: true;
};

export type VariableOptions = Pick<
  Variable<unknown>,
  'shownDefault' | 'secret' | 'lenient' | 'partOf' | 'emptyCounts'
>;

export type VariableTable = { readonly [name: string]: Variable<unknown> };

/** What a table reads as. */
export type ValuesOf<Table extends VariableTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Variable<infer Value> ? Value : never;
};

/** A variable with a default. */
export function setting<Value>(
  kind: Kind<Value>,
  defaultValue: NoInfer<Value>,
  meaning: string,
  options: VariableOptions = {},
): Variable<Value> {
  return { kind, default: defaultValue, meaning, ...options };
}

/** A variable that may be left out. */
export function optional<Value>(
  kind: Kind<Value>,
  meaning: string,
  options: VariableOptions = {},
): Variable<Value | undefined> {
  return { kind, default: undefined, meaning, ...options };
}
