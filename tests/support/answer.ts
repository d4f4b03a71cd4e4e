/** Answers the pending manual command of an execution as an operator would. */

import type { ExecutionId } from '../../core/execution/ids.ts';
import type { ManualCommand } from '../../core/execution/manual-command.ts';
import {
  answerManual,
  type ManualResponse,
} from '../../core/execution/operations/answer-manual.ts';
import type { Workbench } from '../../core/execution/workbench.ts';
import { noOrchestrations } from './run-playbook.ts';

export async function pendingOf(bench: Workbench, execution: ExecutionId): Promise<ManualCommand> {
  const pending = (await bench.stores.manual.list()).find((it) => it.executionId === execution);
  if (pending === undefined) throw new Error('Nobody is asked anything.');
  return pending;
}

export async function answer(
  bench: Workbench,
  execution: ExecutionId,
  values: { readonly [name: string]: string } = {},
  more: Partial<ManualResponse> = {},
): Promise<ManualCommand> {
  const stepId = more.stepId ?? (await pendingOf(bench, execution)).stepId;
  const outArgs = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value }]),
  );
  const response = { executionId: execution, stepId, success: true, outArgs, ...more };
  return answerManual(bench, noOrchestrations, response);
}
