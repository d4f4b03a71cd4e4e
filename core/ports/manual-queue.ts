import type { StepId } from '../cacao/ids.ts';
import type { ExecutionId, WalkId } from '../execution/ids.ts';
import type { ManualAnswer, ManualCommand, ManualState } from '../execution/manual-command.ts';

/**
 * Manual commands, at most one per walk. They enter and leave through RunJournal.commit. Concurrent
 * branches may ask at the same step, even at the same turn: `walkId` then says whose command is meant,
 * the newest one without it. Adapters pass `tests/contracts/manual-queue.contract.ts`.
 */
export interface ManualQueue {
  /** Pending ones only, oldest first. */
  list(): Promise<readonly ManualCommand[]>;
  /** The newest command of this step in whatever state, until it is consumed. */
  get(id: ExecutionId, stepId: StepId, walkId?: WalkId): Promise<ManualCommand | undefined>;
  /**
   * Compare-and-set: whoever comes first wins. Answers the state afterwards with `won` telling whether
   * this call made it; undefined when there is no such command at that turn.
   */
  settle(
    id: ExecutionId,
    stepId: StepId,
    turn: number,
    to: { readonly kind: 'answered'; readonly answer: ManualAnswer } | { readonly kind: 'expired' },
    walkId?: WalkId,
  ): Promise<{ readonly won: boolean; readonly state: ManualState } | undefined>;
  /** Oldest first those answered and not consumed yet by their walks: their wake-up may have been lost. */
  answered(): Promise<readonly ManualCommand[]>;
}
