import type { ExecutionId } from '../execution/ids.ts';

/** Tells work in flight that its execution was cancelled, by this process or any other. */
export interface Cancellations {
  /** `signal` aborts when the execution is cancelled; call `stop` when the work is over. */
  watch(id: ExecutionId): { readonly signal: AbortSignal; stop(): void };
}
