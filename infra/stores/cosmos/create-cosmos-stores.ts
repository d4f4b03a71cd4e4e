/** All stores in Cosmos DB for NoSQL. */

import type { Stores } from '../../../core/ports/stores.ts';
import { createDocumentStores } from '../documents/create-document-stores.ts';
import { cosmosDatabase } from './cosmos-database.ts';
import type { CosmosOptions } from './cosmos-requests.ts';

/** Does not wait for the account. */
export function createCosmosStores(options: CosmosOptions): Stores {
  return createDocumentStores(cosmosDatabase(options));
}
