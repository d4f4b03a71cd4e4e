/**
 * Beginning an ended execution again at one of its steps: a new execution of the same pinned playbook
 * with the variables the first one ended with.
 */

import { parseStepId, type StepId } from '../../cacao/ids.ts';
import type { Plan } from '../../engine/plan.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { Orchestrations } from '../../ports/orchestrations.ts';
import { type ExecutionId, mainWalk } from '../ids.ts';
import { newRun } from '../new-run.ts';
import type { Run } from '../run.ts';
import { tellStarted } from '../turn/tell-committed.ts';
import type { Workbench } from '../workbench.ts';

/** Refuses with `execution-missing`, `execution-unfinished`, `step-missing` and `step-unreachable`. */
export async function rerunFrom(
  bench: Workbench,
  orchestrations: Orchestrations,
  id: ExecutionId,
  stepText: string,
  caller: string | undefined,
): Promise<Run> {
  const open = await bench.stores.journal.open(id, mainWalk);
  const pinned = open && (await bench.pinned.get(id));
  if (open === undefined || pinned === undefined) throw new Refusal('execution-missing', id);
  if (open.run.status === 'ongoing') throw new Refusal('execution-unfinished', id, 'begin again');
  const step = parseStepId(stepText);
  if (step === undefined || !Object.hasOwn(pinned.plan.steps, step)) {
    throw new Refusal('step-missing', stepText);
  }
  if (!mainLine(pinned.plan).has(step)) {
    const reason = 'it lies inside a branch, whose surroundings cannot be begun in the middle';
    throw new Refusal('step-unreachable', id, step, reason);
  }
  const request = newRun(bench, {
    pinned,
    from: step,
    variables: open.variables,
    depth: 0,
    rerunOf: { executionId: id, stepId: step },
    ...(caller === undefined ? {} : { caller }),
  });
  const { run } = await bench.stores.runs.create(request);
  tellStarted(bench, run);
  await orchestrations.start(run.executionId);
  return run;
}

/** The steps reached from the start without entering a branch of an if, while, switch or parallel step. */
function mainLine(plan: Plan): ReadonlySet<StepId> {
  const reached = new Set<StepId>();
  const open = [plan.start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const step = plan.steps[id];
    for (const next of [step?.onSuccess, step?.onFailure]) if (next !== undefined) open.push(next);
  }
  return reached;
}
