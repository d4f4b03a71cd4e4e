/** A playbook-action begins the execution of another stored playbook (spec, Execution rules 13). */

import { viewPlaybook } from '../../cacao/playbook.ts';
import { childScope } from '../../cacao/variables.ts';
import type { Effect, StepFailure } from '../../engine/effects.ts';
import type { NewRun } from '../../ports/run-store.ts';
import { newRun } from '../new-run.ts';
import { pin } from '../pinned.ts';
import { stepOf } from '../scope.ts';
import type { Workbench } from '../workbench.ts';
import type { TurnContext } from './settled.ts';

/** The child's run, to be created with the commit of this turn; or why the step fails. */
export async function prepareChild(
  bench: Workbench,
  turn: TurnContext,
  effect: Extract<Effect, { readonly kind: 'child' }>,
): Promise<NewRun | StepFailure> {
  const { run, pinned, visible } = turn;
  const step = stepOf(pinned.playbook, effect.step);
  if (step?.type !== 'playbook-action') throw new Error(`Step ${effect.step} calls no playbook.`);
  if (run.depth >= bench.limits.playbookDepth) {
    const error = `Playbooks call each other more than ${bench.limits.playbookDepth} levels deep.`;
    return { status: 'failed', error };
  }
  const document = await bench.stores.playbooks.get(step.playbook_id);
  if (document === undefined) return unusable(`There is no stored playbook ${step.playbook_id}.`);
  const checked = bench.check(document);
  if (!checked.ok) {
    const first = checked.findings.find(({ severity }) => severity === 'error');
    return unusable(`The playbook ${step.playbook_id} is not valid: ${first?.message ?? ''}`);
  }
  const playbook = viewPlaybook(document);
  return newRun(bench, {
    pinned: pin(playbook, run.parallel, bench.capabilities, pinned.secrets),
    variables: childScope(visible, playbook.playbook_variables ?? {}),
    depth: run.depth + 1,
    parent: { executionId: run.executionId, stepId: effect.step },
    ...(run.caller === undefined ? {} : { caller: run.caller }),
    ...(effect.deadlineMs === undefined ? {} : { deadlineMs: effect.deadlineMs }),
  });
}

function unusable(error: string): StepFailure {
  return { status: 'client_side_error', error };
}
