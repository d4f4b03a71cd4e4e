/** After a commit: reporters, the security log and whoever waits in this process learn what happened. */

import type { Commit } from '../../ports/run-journal.ts';
import type { Run } from '../run.ts';
import type { Workbench } from '../workbench.ts';

export function tellCommitted(bench: Workbench, before: Run, commit: Commit): void {
  const run: Run = { ...before, ...commit.run };
  const { executionId, playbookId } = run;
  for (const step of commit.steps) {
    const ended = step.endedMs !== undefined;
    bench.report({ kind: ended ? 'step-ended' : 'step-started', run, step });
    if (ended && step.status !== 'successfully_executed') {
      const { stepId, status, errors } = step;
      bench.securityLog.record('step_failed', { executionId, playbookId, stepId, status, errors });
    }
  }
  tellOperators(bench, run, commit);
  if (commit.child !== undefined) tellStarted(bench, commit.child.run);
  if (run.endedMs === undefined) return;
  bench.securityLog.record('execution_ended', { executionId, playbookId, status: run.status });
  bench.report({ kind: 'execution-ended', run });
  bench.signals.ended(executionId);
}

/** One command may make room for the next of the same step. */
function tellOperators({ manual }: Workbench, run: Run, { consumed, ask, walkId }: Commit): void {
  if (consumed !== undefined) {
    const { executionId, playbookId } = run;
    const { stepId, turn, ending = 'withdrawn' } = consumed;
    manual?.closed({ executionId, playbookId, stepId, walkId, turn }, ending);
  }
  if (ask !== undefined) manual?.opened(ask);
}

export function tellStarted(bench: Workbench, run: Run): void {
  const { executionId, playbookId, caller, parent } = run;
  bench.securityLog.record('execution_started', { executionId, playbookId, caller, parent });
  bench.report({ kind: 'execution-started', run });
}
