/** Starts the database servers of the end-to-end tests once for all of them. */

import { type Cosmosdb, startCosmosdb } from '../peers/cosmosdb/start-cosmosdb.ts';
import { type Ferretdb, skipFerretdb, startFerretdb } from '../peers/ferretdb/start-ferretdb.ts';

let ferretdb: Ferretdb | undefined;
let cosmosdb: Cosmosdb | undefined;

export async function setup(): Promise<void> {
  if (!skipFerretdb) {
    ferretdb = await startFerretdb();
    process.env['E2E_MONGO_URI'] = ferretdb.uri;
  }
  cosmosdb = await startCosmosdb();
  process.env['E2E_COSMOS_URI'] = cosmosdb.endpoint;
}

export async function teardown(): Promise<void> {
  await ferretdb?.stop();
  await cosmosdb?.stop();
}
