/** The execution report: the run's header and, per step, its latest invocation with the earlier ones. */

import type { StepId } from '../../cacao/ids.ts';
import type { Stores } from '../../ports/stores.ts';
import type { ExecutionId } from '../ids.ts';
import type { Run, StepRecord } from '../run.ts';

export type StepReport = {
  readonly latest: StepRecord;
  /** How often the step was invoked in all. */
  readonly count: number;
  /** Earlier invocations, oldest first, at most 50. */
  readonly previous: readonly StepRecord[];
};

export type Report = {
  readonly run: Run;
  /** In order of each step's first invocation that is still kept. */
  readonly steps: readonly StepReport[];
};

export async function reportOf(stores: Stores, id: ExecutionId): Promise<Report | undefined> {
  const run = await stores.runs.get(id);
  return run && assemble(stores, run);
}

/** Oldest first. */
export async function allReports(stores: Stores): Promise<readonly Report[]> {
  const runs = await stores.runs.list({ order: 'oldest-first' });
  const reports: Report[] = [];
  for (const run of runs) reports.push(await assemble(stores, run));
  return reports;
}

async function assemble(stores: Stores, run: Run): Promise<Report> {
  const byStep = new Map<StepId, { records: StepRecord[]; count: number }>();
  for (const { record, count } of await stores.journal.steps(run.executionId)) {
    const known = byStep.get(record.stepId) ?? { records: [], count };
    known.records.push(record);
    known.count = Math.max(known.count, count);
    byStep.set(record.stepId, known);
  }
  const steps = [...byStep.values()].flatMap(({ records, count }) => {
    const latest = records.at(-1);
    return latest === undefined
      ? []
      : [{ latest, count, previous: records.slice(0, -1).slice(-50) }];
  });
  return { run, steps };
}
