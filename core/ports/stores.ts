import type { FinStore } from './fin-store.ts';
import type { ManualQueue } from './manual-queue.ts';
import type { PlaybookStore } from './playbook-store.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunStore } from './run-store.ts';

/** One database seen through its ports. */
export interface Stores {
  readonly playbooks: PlaybookStore;
  readonly runs: RunStore;
  readonly journal: RunJournal;
  readonly manual: ManualQueue;
  readonly fins: FinStore;
  /** Resolves when the database answers; rejects with the reason otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
