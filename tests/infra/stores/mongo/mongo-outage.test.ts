import { afterAll, beforeAll, describe } from 'vitest';
import { createMongoStores } from '../../../../infra/stores/mongo/create-mongo-stores.ts';
import { storesOutageContract } from '../../../contracts/stores-outage.contract.ts';
import {
  type Ferretdb,
  skipFerretdb,
  startFerretdb,
} from '../../../peers/ferretdb/start-ferretdb.ts';

describe.skipIf(skipFerretdb)('MongoDB that is killed and started again', () => {
  let server: Ferretdb;

  beforeAll(async () => {
    server = await startFerretdb();
  });
  afterAll(() => server.stop());

  storesOutageContract(() => ({
    create: () => createMongoStores({ uri: server.uri, database: 'outage' }),
    takeAway: () => server.kill(),
    putBack: () => server.restart(),
  }));
});
