import { afterAll, beforeAll, describe } from 'vitest';
import { createCosmosStores } from '../../../../infra/stores/cosmos/create-cosmos-stores.ts';
import { storesOutageContract } from '../../../contracts/stores-outage.contract.ts';
import { type Cosmosdb, startCosmosdb } from '../../../peers/cosmosdb/start-cosmosdb.ts';

describe('Cosmos DB that is cut off and put back', () => {
  let server: Cosmosdb;

  beforeAll(async () => {
    server = await startCosmosdb();
  });
  afterAll(() => server.stop());

  storesOutageContract(() => ({
    create: () => {
      const { endpoint, agent } = server;
      return createCosmosStores({ endpoint, agent, key: 'a2V5', database: 'outage' });
    },
    takeAway: () => server.cutOff(),
    putBack: () => server.putBack(),
  }));
});
