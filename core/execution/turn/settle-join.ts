/** The `child` and `fork` effects: other walks have ended, their results come back to this one. */

import { argumentNames } from '../../cacao/arguments.ts';
import { type OutputValues, outputVariables } from '../../cacao/variables.ts';
import type { Effect, StepFailure } from '../../engine/effects.ts';
import { mainWalk } from '../ids.ts';
import type { Variables, WalkRecord } from '../run.ts';
import { stepOf } from '../scope.ts';
import type { Workbench } from '../workbench.ts';
import { orderFor } from './order.ts';
import type { NotYet, Settled, TurnContext } from './settled.ts';

/** The step outputs of the child's own steps, filtered by out_args (spec, Execution rules 12 and 13). */
export async function settleChild(
  bench: Workbench,
  turn: TurnContext,
  effect: Extract<Effect, { readonly kind: 'child' }>,
): Promise<Settled | NotYet> {
  const childId = turn.walk.memo?.child?.executionId;
  const child = childId && (await bench.stores.runs.get(childId));
  if (childId === undefined || !child) {
    const error = 'The execution of the called playbook is not kept any more.';
    return { outputs: {}, records: [], failure: { status: 'server_side_error', error } };
  }
  if (child.status === 'ongoing') return notYet(bench, turn);
  if (child.status !== 'successfully_executed') {
    const status = child.status === 'timeout_error' ? 'timeout_error' : 'failed';
    const error = `The called playbook ended as ${child.status}: ${child.errors.join(' ')}`;
    return { outputs: {}, records: [], failure: { status, error } };
  }
  const step = stepOf(turn.pinned.playbook, effect.step);
  const outArgs = step?.type === 'playbook-action' ? argumentNames(step.out_args) : [];
  const written = await bench.stores.journal.written(childId, mainWalk);
  const wanted = Object.entries(written).filter(
    ([name]) => outArgs.length === 0 || outArgs.includes(name),
  );
  return { outputs: outputVariables(turn.variables, valuesOf(wanted)), records: [] };
}

/** Merged in branch order, so that the result does not depend on which branch was faster. */
export async function settleFork(bench: Workbench, turn: TurnContext): Promise<Settled | NotYet> {
  const { executionId } = turn.run;
  const branches = turn.walk.memo?.branches ?? [];
  let outputs: Variables = {};
  let failure: StepFailure | undefined;
  for (const branch of branches) {
    const ended = (await bench.stores.journal.open(executionId, branch))?.walk;
    if (ended?.effect.kind !== 'finish') return notYet(bench, turn);
    const written = await bench.stores.journal.written(executionId, branch);
    outputs = { ...outputs, ...outputVariables(turn.variables, valuesOf(Object.entries(written))) };
    failure ??= failureOf(ended);
  }
  const settled = { outputs, records: [], joined: branches };
  return failure === undefined ? settled : { ...settled, failure };
}

function notYet(bench: Workbench, { run, walk }: TurnContext): NotYet {
  return { order: orderFor(run.executionId, walk, bench.clock.now()) };
}

function valuesOf(entries: readonly (readonly [string, Variables[string]])[]): OutputValues {
  return Object.fromEntries(entries.map(([name, variable]) => [name, variable.value ?? '']));
}

function failureOf({ effect }: WalkRecord): StepFailure | undefined {
  if (effect.kind !== 'finish' || effect.outcome.status === 'successfully_executed')
    return undefined;
  const { status, errors } = effect.outcome;
  const error = errors.join(' ');
  return { status: status === 'exception_condition_error' ? 'failed' : status, error };
}
