/** All stores over one document database. */

import type { Stores } from '../../../core/ports/stores.ts';
import { DocumentFinStore } from './document-fin-store.ts';
import { DocumentManualQueue } from './document-manual-queue.ts';
import { DocumentPlaybookStore } from './document-playbook-store.ts';
import { DocumentRunJournal } from './document-run-journal.ts';
import { DocumentRunStore } from './document-run-store.ts';
import type { DocumentDatabase } from './document-table.ts';
import { Runs } from './runs.ts';

export function createDocumentStores(database: DocumentDatabase): Stores {
  const runs = new Runs(database);
  return {
    playbooks: new DocumentPlaybookStore(database.table('playbooks'), runs.stamps),
    runs: new DocumentRunStore(runs),
    journal: new DocumentRunJournal(runs),
    manual: new DocumentManualQueue(runs),
    fins: new DocumentFinStore(database.table('lists')),
    ping: () => database.ping(),
    close: () => database.close(),
  };
}
