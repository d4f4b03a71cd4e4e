import type { Fins } from '../fins/fin.ts';

/** The registry at one moment. The revision is 0 before the first write and grows with every one. */
export type FinSnapshot = { readonly revision: number; readonly fins: Fins };

/**
 * Keeps the registry of fins as one document, because registering is all or nothing also where
 * capabilities change hands between fins, whichever instance takes the message. It is small and seldom
 * written: commands do not touch it. Adapters pass `tests/contracts/fin-store.contract.ts`.
 */
export interface FinStore {
  read(): Promise<FinSnapshot>;
  /** Replaces the registry if it still has this revision; false, and no change, otherwise. */
  write(fins: Fins, revision: number): Promise<boolean>;
}
