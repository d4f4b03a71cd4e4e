import type { ExecutionId } from '../execution/ids.ts';

/**
 * Word of mouth inside one process: spares a trigger that waits in the process where its run ends
 * the polling. Never the truth; that is the store.
 */
export interface RunSignals {
  ended(id: ExecutionId): void;
  /** Resolves when this process sees the run end, at the latest after `timeoutMs`. */
  waitForEnd(id: ExecutionId, timeoutMs: number): Promise<void>;
}
