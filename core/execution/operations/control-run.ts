/** Cancelling, pausing and resuming an execution together with everything it has called. */

import { Refusal } from '../../errors/refusal.ts';
import type { Orchestrations } from '../../ports/orchestrations.ts';
import { type ExecutionId, mainWalk, type WalkId } from '../ids.ts';
import type { Control } from '../run.ts';
import type { Workbench } from '../workbench.ts';

const verbs: { readonly [control in Control]: string } = {
  go: 'resume',
  pause: 'pause',
  cancel: 'cancel',
};

/** Refuses with `execution-missing` or `execution-finished`. */
export async function controlRun(
  bench: Workbench,
  orchestrations: Orchestrations,
  id: ExecutionId,
  control: Control,
  caller: string | undefined,
): Promise<void> {
  const { runs } = bench.stores;
  if (!(await runs.setControl(id, control))) {
    if ((await runs.get(id)) === undefined) throw new Refusal('execution-missing', id);
    throw new Refusal('execution-finished', id, verbs[control]);
  }
  bench.securityLog.record('execution_controlled', { executionId: id, control, caller });
  await passOn(bench, orchestrations, id, mainWalk, control);
}

/** Walks that wait are woken; children are told the same. */
export async function passOn(
  bench: Workbench,
  orchestrations: Orchestrations,
  id: ExecutionId,
  walkId: WalkId,
  control: Control,
): Promise<void> {
  const walk = (await bench.stores.journal.open(id, walkId))?.walk;
  if (walk === undefined) return;
  const { effect, memo } = walk;
  if (effect.kind === 'fork') {
    for (const branch of memo?.branches ?? []) {
      await passOn(bench, orchestrations, id, branch, control);
    }
    return;
  }
  const child = effect.kind === 'child' ? memo?.child?.executionId : undefined;
  if (child === undefined) {
    await orchestrations.wake(id, walkId, walk.turn);
    return;
  }
  await bench.stores.runs.setControl(child, control);
  await passOn(bench, orchestrations, child, mainWalk, control);
}
