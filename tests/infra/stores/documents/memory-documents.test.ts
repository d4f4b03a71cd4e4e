import { describe } from 'vitest';
import { documentTableContract } from '../../../contracts/document-table.contract.ts';
import { MemoryDocuments } from './memory-documents.ts';

describe('documents in memory', () => {
  documentTableContract(async () => new MemoryDocuments());
});
