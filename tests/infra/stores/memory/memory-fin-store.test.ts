import { describe } from 'vitest';
import { MemoryDatabase } from '../../../../infra/stores/memory/memory-database.ts';
import { MemoryFinStore } from '../../../../infra/stores/memory/memory-fin-store.ts';
import { finStoreContract } from '../../../contracts/fin-store.contract.ts';

describe('memory', () => {
  finStoreContract(async () => new MemoryFinStore(new MemoryDatabase()));
});
