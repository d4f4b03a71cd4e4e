import type { StepId } from '../cacao/ids.ts';
import type { ExecutionId } from '../execution/ids.ts';
import type { ManualAnswer, ManualCommand, ManualState } from '../execution/manual-command.ts';

/** Pending manual commands. Commands enter and leave through RunJournal.commit. */
export interface ManualQueue {
  /** Pending ones only, oldest first. */
  list(): Promise<readonly ManualCommand[]>;
  /** The newest command of this step in whatever state, until it is consumed. */
  get(id: ExecutionId, stepId: StepId): Promise<ManualCommand | undefined>;
  /**
   * Compare-and-set: whoever comes first wins. Answers the state afterwards with `won` telling whether
   * this call made it; undefined when there is no such command at that turn.
   */
  settle(
    id: ExecutionId,
    stepId: StepId,
    turn: number,
    to: { readonly kind: 'answered'; readonly answer: ManualAnswer } | { readonly kind: 'expired' },
  ): Promise<{ readonly won: boolean; readonly state: ManualState } | undefined>;
  /** Answered commands their walks have not consumed yet: their wake-up may have been lost. */
  answered(): Promise<readonly ManualCommand[]>;
}
