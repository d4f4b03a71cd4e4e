/** A MongoDB-compatible server as a document database. */

import type { DocumentDatabase } from '../documents/document-table.ts';
import { type MongoOptions, MongoRequests } from './mongo-requests.ts';
import { MongoTable } from './mongo-table.ts';

/** Nothing is connected yet: a server that is away is found out by the first request, or a ping. */
export function mongoDatabase(options: MongoOptions): DocumentDatabase {
  const requests = new MongoRequests(options);
  return {
    table: (name) => new MongoTable(requests, requests.collection(name)),
    ping: () => requests.ping(),
    close: () => requests.close(),
  };
}
