/** All stores in the memory of one process: for tests, dry runs and throw-away demonstrations. */

import type { Stores } from '../../../core/ports/stores.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryFinStore } from './memory-fin-store.ts';
import { MemoryManualQueue } from './memory-manual-queue.ts';
import { MemoryPlaybookStore } from './memory-playbook-store.ts';
import { MemoryRunJournal } from './memory-run-journal.ts';
import { MemoryRunStore } from './memory-run-store.ts';

/** What they answer is frozen; what they are given is copied. Closing forgets nothing but refuses requests. */
export function createMemoryStores(): Stores {
  const database = new MemoryDatabase();
  return {
    playbooks: new MemoryPlaybookStore(database),
    runs: new MemoryRunStore(database),
    journal: new MemoryRunJournal(database),
    manual: new MemoryManualQueue(database),
    fins: new MemoryFinStore(database),
    ping: () => database.request(() => undefined),
    close: async () => database.close(),
  };
}
