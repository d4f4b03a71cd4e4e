import { afterAll, beforeAll, describe } from 'vitest';
import { createMongoStores } from '../../../../infra/stores/mongo/create-mongo-stores.ts';
import { storesContract } from '../../../contracts/stores.contract.ts';
import {
  type Ferretdb,
  skipFerretdb,
  startFerretdb,
} from '../../../peers/ferretdb/start-ferretdb.ts';

describe.skipIf(skipFerretdb)('MongoDB', () => {
  let server: Ferretdb;
  let databases = 0;
  // The server looks at every document of a collection to change one.
  const crowd = 100;

  beforeAll(async () => {
    server = await startFerretdb();
  });
  afterAll(() => server.stop());

  storesContract(async () => {
    databases += 1;
    return createMongoStores({ uri: server.uri, database: `test${databases}` });
  }, crowd);
});
