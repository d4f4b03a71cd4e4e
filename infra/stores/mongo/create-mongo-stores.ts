/** All stores in MongoDB, in Cosmos DB for MongoDB of either flavour, or in a server compatible with them. */

import { createDocumentStores } from '../documents/create-document-stores.ts';
import { type MongoOptions, MongoRequests } from './mongo-requests.ts';
import { MongoTable } from './mongo-table.ts';

/** Nothing is connected yet: a database that is away is found out by the first request, or a ping. */
export function createMongoStores(options: MongoOptions): ReturnType<typeof createDocumentStores> {
  const requests = new MongoRequests(options);
  return createDocumentStores({
    table: (name) => new MongoTable(requests, requests.collection(name)),
    ping: () => requests.ping(),
    close: () => requests.close(),
  });
}
