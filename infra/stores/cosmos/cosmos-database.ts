/** A Cosmos DB account (NoSQL) as a document database. */

import type { DocumentDatabase } from '../documents/document-table.ts';
import { type CosmosOptions, CosmosRequests } from './cosmos-requests.ts';
import { CosmosTable } from './cosmos-table.ts';

/** Nothing is connected yet: an account that is away is found out by the first request, or a ping. */
export function cosmosDatabase(options: CosmosOptions): DocumentDatabase {
  const requests = new CosmosRequests(options);
  return {
    table: (name) => new CosmosTable(requests, requests.container(name)),
    ping: () => requests.ping(),
    close: () => requests.close(),
  };
}
