/** Documents as rows of a container, and the queries that find them. */

import { randomUUID } from 'node:crypto';
import type { SqlParameter } from '@azure/cosmos';
import type { Document, DocumentQuery, StoredDocument } from '../documents/document-table.ts';

/** `order` is a word of the query language. */
export type Row = {
  readonly id: string;
  readonly partition: string;
  readonly place?: string;
  readonly subject?: string;
  readonly view?: string;
  readonly text?: string;
  /** Names one writing of the document. */
  readonly tag: string;
};
export type StoredRow = Row & { readonly _etag: string };

const viewed = 'c.id, c.partition, c.place, c.subject, c.view, c.tag, c._etag';

/** The next `size` documents after the one whose order was `last`. */
export function pageQuery(
  partition: string,
  { from, before, subject, descending = false, only }: DocumentQuery,
  size: number,
  last: string | undefined,
) {
  const bounds = [
    ['=', 'partition', partition],
    ['>=', 'place', from ?? ''],
    ['<', 'place', before],
    ['=', 'subject', subject],
    [descending ? '<' : '>', 'place', last],
  ] as const;
  const conditions: string[] = [];
  const parameters: SqlParameter[] = [];
  for (const [relation, field, value] of bounds) {
    if (value === undefined) continue;
    const name = `@value${parameters.length}`;
    conditions.push(`c.${field} ${relation} ${name}`);
    parameters.push({ name, value });
  }
  const shown = only === undefined ? '*' : viewed;
  const where = conditions.join(' AND ');
  const way = descending ? 'DESC' : 'ASC';
  const text = `SELECT TOP ${size} ${shown} FROM c WHERE ${where} ORDER BY c.place ${way}`;
  return { text, parameters };
}

export function rowOf({ order, ...document }: Document): Row {
  return { ...document, ...(order === undefined ? {} : { place: order }), tag: randomUUID() };
}

export function documentOf(row: StoredRow): StoredDocument {
  const { id, partition, place, subject, view, text = '', _etag } = row;
  return {
    id,
    partition,
    text,
    version: _etag,
    ...(place === undefined ? {} : { order: place }),
    ...(subject === undefined ? {} : { subject }),
    ...(view === undefined ? {} : { view }),
  };
}
