import { afterAll, beforeAll, describe } from 'vitest';
import { mongoDatabase } from '../../../../infra/stores/mongo/mongo-database.ts';
import { documentTableContract } from '../../../contracts/document-table.contract.ts';
import {
  type Ferretdb,
  skipFerretdb,
  startFerretdb,
} from '../../../peers/ferretdb/start-ferretdb.ts';

describe.skipIf(skipFerretdb)('documents in MongoDB', () => {
  let server: Ferretdb;
  let databases = 0;

  beforeAll(async () => {
    server = await startFerretdb();
  });
  afterAll(() => server.stop());

  documentTableContract(async () => {
    databases += 1;
    return mongoDatabase({ uri: server.uri, database: `test${databases}` });
  });
});
