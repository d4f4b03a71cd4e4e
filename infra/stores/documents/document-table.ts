/**
 * The little the stores ask of a document database, so that MongoDB and both flavours of Cosmos DB can
 * serve them: documents of text, found by partition and id, changed one at a time.
 *
 * T1  A document is changed whole or not at all. Nothing spans two documents.
 * T2  Partition and id name a document; every request but `findAll` stays within one partition.
 * T3  What makes the database unusable is refused with `store-away`; any other failure is a defect.
 */

export type DocumentKey = { readonly partition: string; readonly id: string };

export type Document = DocumentKey & {
  /** The place in `query`; documents without one are found by their ids alone. */
  readonly order?: string;
  /** What `query` can ask for beside the order. */
  readonly subject?: string;
  /** What lists show, JSON text. */
  readonly view?: string;
  /** JSON text of at most `LONGEST_TEXT` characters. */
  readonly text: string;
};

/** A document as it was read. `version` changes with every write and is never used again. */
export type StoredDocument = Document & { readonly version: string };

export type DocumentQuery = {
  /** The smallest order wanted. */
  readonly from?: string;
  /** The smallest order not wanted any more. */
  readonly before?: string;
  readonly subject?: string;
  readonly descending?: boolean;
  readonly limit?: number;
  /** Leaves the texts out: they come back empty. */
  readonly only?: 'views';
};

/** Documents are limited to 2 MB (Cosmos DB); a character takes at most three bytes. */
export const LONGEST_TEXT = 500_000;

/** Adapters pass `tests/contracts/document-table.contract.ts`. */
export interface DocumentTable {
  find(partition: string, id: string): Promise<StoredDocument | undefined>;
  /** In any order; those that do not exist are left out. */
  findAll(keys: readonly DocumentKey[], only?: 'views'): Promise<readonly StoredDocument[]>;
  /** Sorted by their order. */
  query(partition: string, query?: DocumentQuery): Promise<readonly StoredDocument[]>;
  /** How many documents a partition has. */
  count(partition: string): Promise<number>;
  /** The version it has now; undefined when the id is taken. */
  insert(document: Document): Promise<string | undefined>;
  /** The version it has now; undefined when it has another one than `version`, or is gone. */
  replace(document: Document, version: string): Promise<string | undefined>;
  /** Writes the document, whatever was there. */
  put(document: Document): Promise<void>;
  /** Whether this call removed it; true as well when the connection broke and it may have been this call. */
  remove(partition: string, id: string): Promise<boolean>;
  removePartition(partition: string): Promise<void>;
}

/** What is kept where. Partitions and ids of different tables never meet in one partition by chance. */
export const tableNames = ['playbooks', 'executions', 'parts', 'lists'] as const;
export type TableName = (typeof tableNames)[number];

export interface DocumentDatabase {
  table(name: TableName): DocumentTable;
  /** Resolves when the database answers; rejects with `store-away` otherwise. */
  ping(): Promise<void>;
  /** May be called again. Requests afterwards are refused with `store-away`. */
  close(): Promise<void>;
}
