/**
 * Documents in a container of Cosmos DB. Point reads and writes by id, queries within one partition.
 *
 * C1  A change names the etag it is based on.
 * C2  An account with session consistency may not yet show what another process has written. Writes see
 *     everything, so a document that was not found counts as missing only when a write misses it as well.
 * C3  The client repeats requests whose answers got lost. A refused write is therefore compared with what
 *     is there: it may be its own first attempt.
 */

import type { Container, SqlParameter } from '@azure/cosmos';
import type {
  Document,
  DocumentKey,
  DocumentQuery,
  DocumentTable,
  StoredDocument,
} from '../documents/document-table.ts';
import type { CosmosRequests } from './cosmos-requests.ts';
import { documentOf, pageQuery, type Row, rowOf, type StoredRow } from './cosmos-rows.ts';
import { CONFLICT, codeOf, NOT_FOUND, PRECONDITION_FAILED } from './cosmos-trouble.ts';

const AT_ONCE = 25;
const PAGE = 500;
const MOST_READINGS = 5;

export class CosmosTable implements DocumentTable {
  readonly #requests: CosmosRequests;
  readonly #container: Container;

  constructor(requests: CosmosRequests, container: Container) {
    this.#requests = requests;
    this.#container = container;
  }

  async find(partition: string, id: string): Promise<StoredDocument | undefined> {
    for (let reading = 1; ; reading += 1) {
      const row = await this.#read(partition, id);
      if (row !== undefined) return documentOf(row);
      if (reading === MOST_READINGS || (await this.#isMissing(partition, id))) return undefined;
    }
  }

  async findAll(keys: readonly DocumentKey[]): Promise<readonly StoredDocument[]> {
    const found = await this.#each(keys, ({ partition, id }) => this.#read(partition, id));
    return found.flatMap((row) => (row === undefined ? [] : [documentOf(row)]));
  }

  /** Page by page, each beginning where the one before ended, so that each can be asked for again. */
  async query(partition: string, query: DocumentQuery = {}): Promise<readonly StoredDocument[]> {
    const rows: StoredRow[] = [];
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    for (;;) {
      const size = Math.min(PAGE, limit - rows.length);
      const { text, parameters } = pageQuery(partition, query, size, rows.at(-1)?.place);
      const page = await this.#query<StoredRow>(partition, text, parameters);
      rows.push(...page);
      if (page.length < size || rows.length === limit) return rows.map(documentOf);
    }
  }

  async count(partition: string): Promise<number> {
    const text = 'SELECT VALUE COUNT(1) FROM c WHERE c.partition = @partition';
    const [count] = await this.#query<number>(partition, text, [
      { name: '@partition', value: partition },
    ]);
    return count ?? 0;
  }

  async insert(document: Document): Promise<string | undefined> {
    const row = rowOf(document);
    try {
      const { etag } = await this.#requests.send((abortSignal) =>
        this.#container.items.create(row, { abortSignal }),
      );
      return etag;
    } catch (error) {
      if (statusOf(error) !== CONFLICT) throw error;
      return this.#writtenBefore(row);
    }
  }

  async replace(document: Document, version: string): Promise<string | undefined> {
    const row = rowOf(document);
    const { partition, id } = row;
    const accessCondition = { type: 'IfMatch', condition: version };
    try {
      const { etag } = await this.#requests.send((abortSignal) =>
        this.#container.item(id, partition).replace(row, { accessCondition, abortSignal }),
      );
      return etag;
    } catch (error) {
      if (statusOf(error) === NOT_FOUND) return undefined;
      if (statusOf(error) !== PRECONDITION_FAILED) throw error;
      return this.#writtenBefore(row);
    }
  }

  async put(document: Document): Promise<void> {
    const row = rowOf(document);
    await this.#requests.send((abortSignal) => this.#container.items.upsert(row, { abortSignal }));
  }

  async remove(partition: string, id: string): Promise<boolean> {
    let mayBeDone = false;
    try {
      await this.#requests.send((abortSignal, isRepeated) => {
        mayBeDone = isRepeated;
        return this.#container.item(id, partition).delete({ abortSignal });
      });
      return true;
    } catch (error) {
      if (statusOf(error) !== NOT_FOUND) throw error;
      return mayBeDone;
    }
  }

  async removePartition(partition: string): Promise<void> {
    const text = 'SELECT c.id FROM c WHERE c.partition = @partition';
    const parameters = [{ name: '@partition', value: partition }];
    const rows = await this.#query<{ readonly id: string }>(partition, text, parameters);
    await this.#each(rows, ({ id }) => this.remove(partition, id));
  }

  async #read(partition: string, id: string): Promise<StoredRow | undefined> {
    const { resource } = await this.#requests.send((abortSignal) =>
      this.#container.item(id, partition).read<StoredRow>({ abortSignal }),
    );
    return resource;
  }

  /** A patch that never applies: it tells whether there is a document. */
  async #isMissing(partition: string, id: string): Promise<boolean> {
    const patch = { condition: 'FROM c WHERE c.tag = ""', operations: [harmless] };
    try {
      await this.#requests.send((abortSignal) =>
        this.#container.item(id, partition).patch(patch, { abortSignal }),
      );
      return false;
    } catch (error) {
      if (statusOf(error) === PRECONDITION_FAILED) return false;
      if (statusOf(error) === NOT_FOUND) return true;
      throw error;
    }
  }

  async #writtenBefore({ partition, id, tag }: Row): Promise<string | undefined> {
    const found = await this.#read(partition, id);
    return found?.tag === tag ? found._etag : undefined;
  }

  async #query<Answer>(
    partitionKey: string,
    query: string,
    parameters: SqlParameter[],
  ): Promise<readonly Answer[]> {
    const { resources } = await this.#requests.send((abortSignal) =>
      this.#container.items
        .query<Answer>({ query, parameters }, { partitionKey, maxItemCount: PAGE, abortSignal })
        .fetchAll(),
    );
    return resources;
  }

  async #each<Item, Answer>(
    items: readonly Item[],
    work: (item: Item) => Promise<Answer>,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let start = 0; start < items.length; start += AT_ONCE) {
      answers.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
    }
    return answers;
  }
}

const harmless = { op: 'add', path: '/isSought', value: true } as const;

/** The status Cosmos DB answered with, also when the error was explained on its way. */
function statusOf(error: unknown): number | string | undefined {
  return codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
}
