/**
 * The connection to a Cosmos DB account. It is made with the first request, so a service may start while
 * its database is away. Database and containers are made when they are missing and may be made.
 */

import type { Agent } from 'node:https';
import { type Container, CosmosClient, type CosmosClientOptions } from '@azure/cosmos';
import type { TableName } from '../documents/document-table.ts';
import { type Patience, patiently, StillBusy } from '../patience.ts';
import { storeAway } from '../store-away.ts';
import { AtMost, WaitedTooLong } from './at-most.ts';
import { codeOf, cosmosTrouble, NOT_FOUND } from './cosmos-trouble.ts';
import { hostIdentity } from './host-identity.ts';

export type CosmosOptions = {
  readonly endpoint: string;
  readonly database: string;
  /** Undefined means the managed identity of the host. */
  readonly key: string | undefined;
  /** For an emulator, whose certificate nobody knows. */
  readonly agent?: Agent;
  readonly patience?: Pick<Patience, 'busyForMs' | 'sleep'>;
};

/** Passed on to the client: it stops trying, and the request fails, once this is over. */
const AWAY_AFTER_MS = 5_000;
/** The client may not notice at once. */
const GRACE_MS = 2_000;

const MOST_AT_ONCE = 64;
const QUEUED_FOR_MS = 20_000;

/** Throughput is bought per container, so there are few. */
const containers = ['playbooks', 'executions'] as const;
const containerOf: { readonly [table in TableName]: (typeof containers)[number] } = {
  playbooks: 'playbooks',
  executions: 'executions',
  parts: 'executions',
  lists: 'executions',
};

/** Texts are not searched, so they cost no index. */
const indexingPolicy = {
  includedPaths: [{ path: '/place/?' }, { path: '/subject/?' }],
  excludedPaths: [{ path: '/*' }],
};

export class CosmosRequests {
  readonly #client: CosmosClient;
  readonly #options: CosmosOptions;
  readonly #atMost = new AtMost(MOST_AT_ONCE, QUEUED_FOR_MS);
  #prepared: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: CosmosOptions) {
    this.#options = options;
    this.#client = new CosmosClient(clientOptions(options));
  }

  container(table: TableName): Container {
    return this.#client.database(this.#options.database).container(containerOf[table]);
  }

  /**
   * Hand the signal on: it ends an attempt that nobody answers. `isRepeated` tells whether an earlier one
   * may have arrived already.
   */
  async send<Answer>(
    work: (abortSignal: AbortSignal, isRepeated: boolean) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.#isClosed) throw storeAway(`The database ${this.#options.database} is closed.`);
    try {
      const patience = { ...this.#options.patience, troubleOf: cosmosTrouble };
      return await patiently(async (isRepeated) => {
        await this.#prepare();
        return this.#atMost.run(() => limited((abortSignal) => work(abortSignal, isRepeated)));
      }, patience);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async ping(): Promise<void> {
    await this.send((abortSignal) => this.container('executions').read({ abortSignal }));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#client.dispose();
  }

  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeContainers().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #makeContainers(): Promise<void> {
    const { database } = this.#options;
    for (const id of containers) {
      if (await this.#hasContainer(id)) continue;
      await limited((abortSignal) =>
        this.#client.databases.createIfNotExists({ id: database }, { abortSignal }),
      );
      await limited((abortSignal) =>
        this.#client
          .database(database)
          .containers.createIfNotExists(
            { id, partitionKey: { paths: ['/partition'] }, indexingPolicy },
            { abortSignal },
          ),
      );
    }
  }

  /** An identity that may read and write documents only can still find this out. */
  async #hasContainer(id: string): Promise<boolean> {
    const container = this.#client.database(this.#options.database).container(id);
    try {
      await limited((abortSignal) => container.read({ abortSignal }));
      return true;
    } catch (error) {
      if (codeOf(error) !== NOT_FOUND) throw error;
      return false;
    }
  }

  #explained(error: unknown): unknown {
    const { database } = this.#options;
    if (this.#isClosed) return storeAway(`The database ${database} is closed.`, error);
    if (error instanceof StillBusy || error instanceof WaitedTooLong)
      return storeAway(`The database ${database} is busy.`, error);
    const trouble = cosmosTrouble(error);
    if (trouble?.kind === 'away') {
      return storeAway(`The database ${database} cannot be used: ${trouble.reason}.`, error);
    }
    if (trouble !== undefined) {
      return storeAway(`The database ${database} cannot be used: it fails again and again.`, error);
    }
    if (!(error instanceof Error)) return error;
    return new Error(`The database ${database} refused a request: ${error.message}`, {
      cause: error,
    });
  }
}

/** The client waits for a busy database itself, but not as long as it says; so we do. */
function clientOptions({ endpoint, key, agent }: CosmosOptions): CosmosClientOptions {
  return {
    endpoint,
    userAgentSuffix: 'theobroma',
    connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } },
    ...(key === undefined ? { aadCredentials: hostIdentity() } : { key }),
    ...(agent === undefined ? {} : { agent }),
  };
}

async function limited<Answer>(
  work: (abortSignal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const signal = AbortSignal.timeout(AWAY_AFTER_MS);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(signal.reason), AWAY_AFTER_MS + GRACE_MS);
  });
  try {
    return await Promise.race([work(signal), patience]);
  } finally {
    clearTimeout(timer);
  }
}
