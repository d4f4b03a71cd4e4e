/** All stores in MongoDB, in Cosmos DB for MongoDB of either flavour, or in a server compatible with them. */

import type { Stores } from '../../../core/ports/stores.ts';
import { createDocumentStores } from '../documents/create-document-stores.ts';
import { mongoDatabase } from './mongo-database.ts';
import type { MongoOptions } from './mongo-requests.ts';

/** Does not wait for the server; throws when its address cannot be read. */
export function createMongoStores(options: MongoOptions): Stores {
  return createDocumentStores(mongoDatabase(options));
}
