import { afterAll, beforeAll, describe } from 'vitest';
import { createCosmosStores } from '../../../../infra/stores/cosmos/create-cosmos-stores.ts';
import { storesContract } from '../../../contracts/stores.contract.ts';
import { type Cosmosdb, startCosmosdb } from '../../../peers/cosmosdb/start-cosmosdb.ts';

describe('Cosmos DB', () => {
  let server: Cosmosdb;
  let databases = 0;

  beforeAll(async () => {
    server = await startCosmosdb();
  });
  afterAll(() => server.stop());

  storesContract(async () => {
    databases += 1;
    const { endpoint, agent } = server;
    return createCosmosStores({ endpoint, agent, key: 'a2V5', database: `test${databases}` });
  });
});
