/** Reads the columns of a row with the types the schema promises. */

import type { SQLOutputValue } from 'node:sqlite';

export type SqlRow = { readonly [column: string]: SQLOutputValue };

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw new TypeError(`The column ${column} holds no text.`);
}

export function integerOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw new TypeError(`The column ${column} holds no number.`);
}

/** JSON this store has written; the caller names the type it was written with. */
export function jsonOf<Value>(row: SqlRow, column: string): Value {
  return JSON.parse(textOf(row, column));
}
