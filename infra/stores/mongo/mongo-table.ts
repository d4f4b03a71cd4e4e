/**
 * Documents in one collection. Every request names the partition, the shard key where there is one, and
 * uses nothing that a flavour of Cosmos DB lacks.
 */

import { randomUUID } from 'node:crypto';
import { type Collection, type Filter, MongoServerError } from 'mongodb';
import type {
  Document,
  DocumentKey,
  DocumentQuery,
  DocumentTable,
  StoredDocument,
} from '../documents/document-table.ts';
import type { MongoRequests, MongoRow } from './mongo-requests.ts';
import { DUPLICATE_KEY } from './mongo-trouble.ts';

const KEYS_PER_REQUEST = 250;

export class MongoTable implements DocumentTable {
  readonly #requests: MongoRequests;
  readonly #collection: Collection<MongoRow>;

  constructor(requests: MongoRequests, collection: Collection<MongoRow>) {
    this.#requests = requests;
    this.#collection = collection;
  }

  async find(partition: string, id: string): Promise<StoredDocument | undefined> {
    const row = await this.#requests.send(() =>
      this.#collection.findOne(keyOf({ partition, id }), { projection: all }),
    );
    return row === null ? undefined : documentOf(row);
  }

  async findAll(keys: readonly DocumentKey[], only?: 'views'): Promise<readonly StoredDocument[]> {
    const found: StoredDocument[] = [];
    for (let start = 0; start < keys.length; start += KEYS_PER_REQUEST) {
      const wanted = keys.slice(start, start + KEYS_PER_REQUEST);
      const partitions = [...new Set(wanted.map(({ partition }) => partition))];
      const filter = {
        _id: { $in: wanted.map((key) => keyOf(key)._id) },
        partition: { $in: partitions },
      };
      const rows = await this.#requests.send(() =>
        this.#collection.find(filter, { projection: projectionOf(only) }).toArray(),
      );
      found.push(...rows.map(documentOf));
    }
    return found;
  }

  async query(partition: string, query: DocumentQuery = {}): Promise<readonly StoredDocument[]> {
    const { limit, only, descending = false } = query;
    const way = descending ? -1 : 1;
    const rows = await this.#requests.send(() =>
      this.#collection
        .find(filterOf(partition, query), { projection: projectionOf(only) })
        // Cosmos DB sorts by what an index has, in the order it has it.
        .sort({ partition: way, order: way })
        .limit(limit ?? 0)
        .toArray(),
    );
    return rows.map(documentOf);
  }

  count(partition: string): Promise<number> {
    return this.#requests.send(() => this.#collection.countDocuments({ partition }));
  }

  insert(document: Document): Promise<string | undefined> {
    const row = rowOf(document);
    return this.#requests.send(async (isRepeated) => {
      try {
        await this.#collection.insertOne(row);
        return row.version;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return isRepeated ? this.#writtenBefore(row) : undefined;
      }
    });
  }

  replace(document: Document, version: string): Promise<string | undefined> {
    const row = rowOf(document);
    return this.#requests.send(async (isRepeated) => {
      const filter = { ...keyOf(document), version };
      const { matchedCount } = await this.#collection.replaceOne(filter, row);
      if (matchedCount === 1) return row.version;
      return isRepeated ? this.#writtenBefore(row) : undefined;
    });
  }

  async put(document: Document): Promise<void> {
    const row = rowOf(document);
    await this.#requests.send(async () => {
      const write = () => this.#collection.replaceOne(keyOf(document), row, { upsert: true });
      // Two who write the same new document at once may both try to insert it.
      await write().catch((error: unknown) => {
        if (!isDuplicate(error)) throw error;
        return write();
      });
    });
  }

  async remove(partition: string, id: string): Promise<boolean> {
    return this.#requests.send(async (isRepeated) => {
      const { deletedCount } = await this.#collection.deleteOne(keyOf({ partition, id }));
      return deletedCount === 1 || isRepeated;
    });
  }

  async removePartition(partition: string): Promise<void> {
    await this.#requests.send(() => this.#collection.deleteMany({ partition }));
  }

  /** Whether the attempt whose answer got lost had arrived. */
  async #writtenBefore(row: MongoRow): Promise<string | undefined> {
    const { _id, partition, version } = row;
    const found = await this.#collection.findOne(
      { _id, partition },
      { projection: { version: 1 } },
    );
    return found?.version === version ? version : undefined;
  }
}

const all = {};
const views = { text: 0 };

function projectionOf(only: 'views' | undefined) {
  return only === undefined ? all : views;
}

function filterOf(partition: string, { from, before, subject }: DocumentQuery): Filter<MongoRow> {
  const range = {
    $gte: from ?? '',
    ...(before === undefined ? {} : { $lt: before }),
  };
  return { partition, order: range, ...(subject === undefined ? {} : { subject }) };
}

function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

function keyOf({ partition, id }: DocumentKey) {
  return { _id: `${partition}/${id}`, partition };
}

function rowOf({ id, ...document }: Document): MongoRow {
  const { _id } = keyOf({ partition: document.partition, id });
  return { _id, ...document, version: randomUUID() };
}

function documentOf({ _id, text = '', ...row }: MongoRow): StoredDocument {
  return { ...row, text, id: _id.slice(row.partition.length + 1) };
}
