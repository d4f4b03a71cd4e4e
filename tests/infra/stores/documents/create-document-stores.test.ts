import { describe } from 'vitest';
import { createDocumentStores } from '../../../../infra/stores/documents/create-document-stores.ts';
import { storesContract } from '../../../contracts/stores.contract.ts';
import { MemoryDocuments } from './memory-documents.ts';

describe('stores over documents', () => {
  storesContract(async () => createDocumentStores(new MemoryDocuments()));
});
