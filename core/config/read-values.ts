/** Reads one table of variables from an environment: text in, typed values out, complaints on the side. */

import type { Notes } from './notes.ts';
import type { ValuesOf, Variable, VariableTable } from './variable.ts';

export type Environment = { readonly [name: string]: string | undefined };

/** A value that cannot be used is noted and replaced by its default. */
export function readValues<Table extends VariableTable>(
  table: Table,
  environment: Environment,
  notes: Notes,
): ValuesOf<Table> {
  const values = Object.entries(table).map(([name, variable]) => [
    name,
    readValue(name, variable, { table, environment, notes }),
  ]);
  return Object.fromEntries(values) as ValuesOf<Table>;
}

type Reading = {
  readonly table: VariableTable;
  readonly environment: Environment;
  readonly notes: Notes;
};

function readValue(name: string, variable: Variable<unknown>, reading: Reading): unknown {
  const text = reading.environment[name]?.trim();
  if (text === undefined) return variable.default;
  if (text === '') return variable.emptyCounts ? text : variable.default;
  const value = variable.kind.parse(text);
  if (value !== undefined) return value;

  const complaint = `expected ${variable.kind.expected}${variable.secret ? '' : `, found "${shorten(text)}"`}`;
  if (variable.lenient || !isInUse(variable, reading)) {
    reading.notes.warn(name, `${complaint}; the default is used`);
  } else {
    reading.notes.problem(name, complaint);
  }
  return variable.default;
}

// A part that is switched off must not stop the start because of a placeholder left in its settings.
function isInUse(variable: Variable<unknown>, { table, environment }: Reading): boolean {
  const switchName = variable.partOf;
  const switchVariable = switchName === undefined ? undefined : table[switchName];
  if (switchName === undefined || switchVariable === undefined) return true;
  const text = environment[switchName]?.trim() ?? '';
  return text === '' ? switchVariable.default === true : switchVariable.kind.parse(text) !== false;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
