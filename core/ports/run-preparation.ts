import type { Playbook } from '../cacao/playbook.ts';
import type { Variables } from '../execution/run.ts';

export type StartingRun = {
  readonly playbook: Playbook;
  /** The scope it would begin with. */
  readonly variables: Variables;
  /** The same for a repeated trigger, which must not do anything twice. */
  readonly idempotencyKey?: string;
};

/**
 * Called when a playbook is triggered, before its execution begins; answers the scope to begin with.
 * It never rejects and takes a few seconds at most: who triggered waits for it.
 */
export type RunPreparation = (starting: StartingRun) => Promise<Variables>;
