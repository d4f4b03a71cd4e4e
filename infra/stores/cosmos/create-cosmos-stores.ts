/** All stores in Cosmos DB for NoSQL. */

import { createDocumentStores } from '../documents/create-document-stores.ts';
import { type CosmosOptions, CosmosRequests } from './cosmos-requests.ts';
import { CosmosTable } from './cosmos-table.ts';

/** Nothing is connected yet: an account that is away is found out by the first request, or a ping. */
export function createCosmosStores(
  options: CosmosOptions,
): ReturnType<typeof createDocumentStores> {
  const requests = new CosmosRequests(options);
  return createDocumentStores({
    table: (name) => new CosmosTable(requests, requests.container(name)),
    ping: () => requests.ping(),
    close: () => requests.close(),
  });
}
