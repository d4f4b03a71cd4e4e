/** What a manual integration is told: a pending command as the API shows it, and that it is gone. */

import type { ManualCommand, ManualEnding } from '../../../core/execution/manual-command.ts';
import type { ClosedCommand } from '../../../core/ports/manual-integration.ts';
import { toManualWire } from './manual.ts';
import { toTimestamp } from './timestamp.ts';

export const manualEventWire = {
  opened: (command: ManualCommand) => ({
    event: 'manual-opened',
    expires: toTimestamp(command.deadlineMs),
    ...toManualWire(command),
  }),
  closed: ({ executionId, playbookId, stepId }: ClosedCommand, ending: ManualEnding) => ({
    event: 'manual-closed',
    ending,
    execution_id: executionId,
    playbook_id: playbookId,
    step_id: stepId,
  }),
};
