/** What reporters outside are told: an event of an execution, spelt as the execution report is. */

import type { RunEvent } from '../../../core/ports/reporter.ts';
import { toInvocationWire, toReportWire } from './report.ts';

export function toRunEventWire(event: RunEvent) {
  const {
    type: _type,
    step_results: _results,
    request_interval: _interval,
    ...execution
  } = toReportWire({ run: event.run, steps: [] });
  const step = 'step' in event ? { step: toInvocationWire(event.run, event.step) } : {};
  return { type: 'execution_event', event: event.kind, execution, ...step };
}
