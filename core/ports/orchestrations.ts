import type { ExecutionId, WalkId } from '../execution/ids.ts';

/**
 * The durable engine as use cases see it. A lost start or wake-up is repaired by the reconcile timer,
 * because the store is the truth.
 */
export interface Orchestrations {
  /** Starts the orchestration of a stored run; starting one that runs already does nothing. */
  start(id: ExecutionId): Promise<void>;
  /** Wakes the walk that waits at this turn; harmless when nobody waits. */
  wake(id: ExecutionId, walkId: WalkId, turn: number): Promise<void>;
  /** Removes the durable history of everything that was begun before this time and has ended. */
  forgetEnded(begunBeforeMs: number): Promise<void>;
}
