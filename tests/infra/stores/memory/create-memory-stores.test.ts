import { describe } from 'vitest';
import { createMemoryStores } from '../../../../infra/stores/memory/create-memory-stores.ts';
import { storesContract } from '../../../contracts/stores.contract.ts';

describe('memory', () => {
  storesContract(async () => createMemoryStores());
});
