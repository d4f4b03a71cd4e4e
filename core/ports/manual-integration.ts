import type { ManualCommand, ManualEnding } from '../execution/manual-command.ts';

/** Which command it was, after it is gone. */
export type ClosedCommand = Pick<
  ManualCommand,
  'executionId' | 'playbookId' | 'stepId' | 'walkId' | 'turn'
>;

/**
 * Tells somebody besides the users of the API of manual commands (spec, Manual capability: at most one per
 * instance). Answers come through the API; the first one wins. Neither method throws or waits, and what
 * becomes of the message touches no execution.
 */
export interface ManualIntegration {
  /** The command waits now. */
  opened(command: ManualCommand): void;
  /** It does not wait any more. */
  closed(command: ClosedCommand, ending: ManualEnding): void;
}
