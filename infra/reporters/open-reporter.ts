/** A reporter that holds connections and a queue, and how logs speak of what it is told. */

import type { LogFields } from '../../core/ports/log.ts';
import type { Reporter, RunEvent } from '../../core/ports/reporter.ts';

export interface OpenReporter extends Reporter {
  /** Delivers what waits, but no longer than this. */
  close(patienceMs: number): Promise<void>;
}

export function describeEvent(event: RunEvent): LogFields {
  const { kind, run } = event;
  const { executionId } = run;
  return 'step' in event ? { kind, executionId, stepId: event.step.stepId } : { kind, executionId };
}
