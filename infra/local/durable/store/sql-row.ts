/** Reads columns of a result row with the type the schema promises. */
import type { SQLOutputValue } from 'node:sqlite';

export type SqlRow = Readonly<Record<string, SQLOutputValue>>;

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} does not hold text.`);
  return value;
}

export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function numberOf(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`Column ${column} does not hold a number.`);
  return value;
}
