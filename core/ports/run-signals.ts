import type { ExecutionId } from '../execution/ids.ts';

/**
 * Word of mouth inside one process: saves polling where trigger and activity share it, and aborts
 * commands in flight when a run is cancelled. Never the truth; that is the store.
 */
export interface RunSignals {
  ended(id: ExecutionId): void;
  /** Resolves at the end of the run if this process sees it, at the latest after `timeoutMs`. */
  waitForEnd(id: ExecutionId, timeoutMs: number): Promise<void>;
  /** Aborted when this process is told to cancel the run. */
  cancellation(id: ExecutionId): AbortSignal;
  cancel(id: ExecutionId): void;
}
