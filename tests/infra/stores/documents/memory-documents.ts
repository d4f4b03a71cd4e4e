/** A document database in the memory of the test, to try what real ones do seldom: it can be shared and cut. */

import { randomUUID } from 'node:crypto';
import type {
  Document,
  DocumentDatabase,
  DocumentQuery,
  DocumentTable,
  StoredDocument,
  TableName,
} from '../../../../infra/stores/documents/document-table.ts';
import { storeAway } from '../../../../infra/stores/store-away.ts';

export class MemoryDocuments implements DocumentDatabase {
  /** Awaited before every request; may reject. */
  onRequest: (request: string, table: TableName) => Promise<void> | void = () => {};
  readonly #tables = new Map<TableName, Map<string, StoredDocument>>();
  #isClosed = false;

  /** Another service on the same documents. */
  share(): MemoryDocuments {
    const other = new MemoryDocuments();
    for (const name of ['playbooks', 'executions', 'parts', 'lists'] as const) {
      other.#tables.set(name, this.#rows(name));
    }
    return other;
  }

  all(name: TableName): readonly StoredDocument[] {
    return [...this.#rows(name).values()];
  }

  table(name: TableName): DocumentTable {
    const rows = this.#rows(name);
    const request = async <Answer>(what: string, work: () => Answer) => {
      // Other requests get their chance in between, as they do on a network.
      await new Promise(setImmediate);
      if (this.#isClosed) throw storeAway('The documents are closed.');
      await this.onRequest(what, name);
      return work();
    };
    const write = (document: Document): string => {
      const version = randomUUID();
      rows.set(keyOf(document), { ...document, version });
      return version;
    };
    return {
      find: (partition, id) => request('find', () => rows.get(keyOf({ partition, id }))),
      findAll: (keys, only) =>
        request('findAll', () =>
          keys.flatMap((key) => shown(rows.get(keyOf(key)), only === 'views') ?? []),
        ),
      query: (partition, query = {}) =>
        request('query', () => queried([...rows.values()], partition, query)),
      count: (partition) =>
        request(
          'count',
          () => [...rows.values()].filter((row) => row.partition === partition).length,
        ),
      insert: (document) =>
        request('insert', () => (rows.has(keyOf(document)) ? undefined : write(document))),
      replace: (document, version) =>
        request('replace', () =>
          rows.get(keyOf(document))?.version === version ? write(document) : undefined,
        ),
      put: (document) => request('put', () => void write(document)),
      remove: (partition, id) => request('remove', () => rows.delete(keyOf({ partition, id }))),
      removePartition: (partition) =>
        request('removePartition', () => {
          for (const [key, row] of rows) if (row.partition === partition) rows.delete(key);
        }),
    };
  }

  async ping(): Promise<void> {
    if (this.#isClosed) throw storeAway('The documents are closed.');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #rows(name: TableName): Map<string, StoredDocument> {
    const rows = this.#tables.get(name) ?? new Map<string, StoredDocument>();
    this.#tables.set(name, rows);
    return rows;
  }
}

function queried(
  rows: readonly StoredDocument[],
  partition: string,
  { from = '', before, subject, descending = false, limit, only }: DocumentQuery,
): readonly StoredDocument[] {
  return rows
    .filter((row) => row.partition === partition && row.order !== undefined)
    .filter(({ order = '' }) => order >= from && (before === undefined || order < before))
    .filter((row) => subject === undefined || row.subject === subject)
    .sort(({ order: left = '' }, { order: right = '' }) => (left < right === descending ? 1 : -1))
    .slice(0, limit)
    .flatMap((row) => shown(row, only === 'views') ?? []);
}

function shown(row: StoredDocument | undefined, isView: boolean): StoredDocument | undefined {
  return row === undefined || !isView ? row : { ...row, text: '' };
}

function keyOf({ partition, id }: { readonly partition: string; readonly id: string }): string {
  return `${partition}/${id}`;
}
