import { afterAll, beforeAll, describe } from 'vitest';
import { cosmosDatabase } from '../../../../infra/stores/cosmos/cosmos-database.ts';
import { documentTableContract } from '../../../contracts/document-table.contract.ts';
import { type Cosmosdb, startCosmosdb } from '../../../peers/cosmosdb/start-cosmosdb.ts';

describe('documents in Cosmos DB', () => {
  let server: Cosmosdb;
  let databases = 0;

  beforeAll(async () => {
    server = await startCosmosdb();
  });
  afterAll(() => server.stop());

  documentTableContract(async () => {
    databases += 1;
    const { endpoint, agent } = server;
    return cosmosDatabase({ endpoint, agent, key: 'a2V5', database: `test${databases}` });
  });
});
