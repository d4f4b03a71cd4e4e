/**
 * The connection to a MongoDB-compatible server. It is made with the first request, so a service may start
 * while its database is away, and made again by the driver after every outage.
 */

import { type Collection, MongoClient } from 'mongodb';
import { type TableName, tableNames } from '../documents/document-table.ts';
import { type Patience, patiently, StillBusy } from '../patience.ts';
import { storeAway } from '../store-away.ts';
import { mongoTrouble } from './mongo-trouble.ts';

export type MongoOptions = {
  /** Credentials inside it win. */
  readonly uri: string;
  readonly database: string;
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** Told of every command sent, by its name. */
  readonly onCommand?: (name: string) => void;
  readonly patience?: Pick<Patience, 'busyForMs' | 'sleep'>;
};

export type MongoRow = {
  /** `<partition>/<id>`: unique also where every shard knows only its own ids. */
  readonly _id: string;
  readonly partition: string;
  readonly order?: string;
  readonly subject?: string;
  readonly view?: string;
  readonly text: string;
  readonly version: string;
};

/** How long a server is sought, and how long it may keep silent. */
const AWAY_AFTER_MS = 5_000;
const SILENT_FOR_MS = 15_000;
/** A burst of requests waits for its connections longer than for a server. */
const QUEUED_FOR_MS = 20_000;
const MOST_CONNECTIONS = 20;
/** Azure drops connections after four idle minutes without telling. */
const MAX_IDLE_MS = 120_000;

/** Tables that are queried by partition and order; the others are found by id alone. */
const queried: readonly TableName[] = ['playbooks', 'parts', 'lists'];

export class MongoRequests {
  readonly #client: MongoClient;
  readonly #options: MongoOptions;
  #prepared: Promise<void> | undefined;
  #isClosed = false;

  /** Throws when the address cannot be read. */
  constructor(options: MongoOptions) {
    this.#options = options;
    this.#client = clientOf(options);
    const { onCommand } = options;
    if (onCommand === undefined) return;
    this.#client.on('commandStarted', ({ commandName }) => onCommand(commandName));
  }

  collection(name: TableName): Collection<MongoRow> {
    return this.#client.db(this.#options.database).collection<MongoRow>(name);
  }

  /** `work` is told whether an earlier attempt may have arrived already. */
  async send<Answer>(work: (isRepeated: boolean) => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) throw storeAway(`The database ${this.#options.database} is closed.`);
    try {
      const patience = { ...this.#options.patience, troubleOf: mongoTrouble };
      return await patiently(async (isRepeated) => {
        await this.#prepare();
        return work(isRepeated);
      }, patience);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async ping(): Promise<void> {
    await this.send(() => this.#client.db(this.#options.database).command({ ping: 1 }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#client.close();
  }

  #prepare(): Promise<void> {
    this.#prepared ??= this.#connect().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  /** Indexes that exist are left as they are. */
  async #connect(): Promise<void> {
    // A first connection that failed is not made anew by requests; asked to connect, the driver starts over.
    await this.#client.connect();
    for (const name of tableNames) {
      const key = { partition: 1, ...(queried.includes(name) ? { order: 1 } : {}) } as const;
      await this.collection(name).createIndex(key);
    }
  }

  #explained(error: unknown): unknown {
    const { database } = this.#options;
    if (this.#isClosed) return storeAway(`The database ${database} is closed.`, error);
    const trouble = mongoTrouble(error);
    if (trouble?.kind === 'away') {
      return storeAway(`The database ${database} cannot be used: ${trouble.reason}.`, error);
    }
    if (trouble?.kind === 'interrupted') {
      return storeAway(`The database ${database} cannot be used: the connection breaks.`, error);
    }
    if (error instanceof StillBusy) return storeAway(`The database ${database} is busy.`, error);
    if (!(error instanceof Error)) return error;
    return new Error(`The database ${database} refused a request: ${error.message}`, {
      cause: error,
    });
  }
}

/** Repeating writes is ours: Cosmos DB (request units) does not offer it. */
function clientOf({ uri, credentials, onCommand }: MongoOptions): MongoClient {
  return new MongoClient(uri, {
    appName: 'theobroma',
    retryWrites: false,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: AWAY_AFTER_MS,
    connectTimeoutMS: AWAY_AFTER_MS,
    waitQueueTimeoutMS: QUEUED_FOR_MS,
    socketTimeoutMS: SILENT_FOR_MS,
    maxIdleTimeMS: MAX_IDLE_MS,
    maxPoolSize: MOST_CONNECTIONS,
    monitorCommands: onCommand !== undefined,
    ...(credentials === undefined ? {} : { auth: credentials }),
  });
}
