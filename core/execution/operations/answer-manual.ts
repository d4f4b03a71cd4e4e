/** An operator answers a pending manual command (spec, Manual interaction). The first one wins. */

import type { StepId } from '../../cacao/ids.ts';
import { variableIn } from '../../cacao/variables.ts';
import { Refusal } from '../../errors/refusal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Orchestrations } from '../../ports/orchestrations.ts';
import type { ExecutionId } from '../ids.ts';
import type { ManualCommand } from '../manual-command.ts';
import type { Workbench } from '../workbench.ts';
import { valueText } from './trigger-variables.ts';

export type ManualResponse = {
  readonly executionId: ExecutionId;
  readonly stepId: StepId;
  readonly playbookId?: string;
  readonly success: boolean;
  readonly outArgs: JsonObject;
  readonly caller?: string;
};

/**
 * Answers the command that was answered. Refuses with `manual-missing` when it is unknown, answered or
 * expired, and with the `answer-...` codes, which leave it pending.
 */
export async function answerManual(
  bench: Workbench,
  orchestrations: Orchestrations,
  response: ManualResponse,
): Promise<ManualCommand> {
  const { executionId, stepId } = response;
  const missing = new Refusal('manual-missing', stepId, executionId);
  const command = await bench.stores.manual.get(executionId, stepId);
  if (command === undefined || command.state.kind !== 'pending') throw missing;
  const nowMs = bench.clock.now();
  if (nowMs >= command.deadlineMs) throw missing;
  if (response.playbookId !== undefined && response.playbookId !== command.playbookId) {
    throw new Refusal('answer-playbook-mismatch', command.playbookId);
  }
  const answer = {
    success: response.success,
    values: answeredValues(command, response),
    answeredBy: response.caller ?? 'operator',
    answeredMs: nowMs,
  };
  const to = { kind: 'answered', answer } as const;
  const settled = await bench.stores.manual.settle(
    executionId,
    stepId,
    command.turn,
    to,
    command.walkId,
  );
  if (settled?.won !== true) throw missing;
  const { caller, success } = response;
  bench.securityLog.record('manual_answered', { executionId, stepId, success, caller });
  // The answer is safe in the store; a lost wake-up only delays the walk.
  await orchestrations.wake(executionId, command.walkId, command.turn).catch((error: unknown) => {
    bench.log.warning('manual.wake-failed', { executionId, stepId, error });
  });
  return command;
}

function answeredValues(
  { outArgs }: ManualCommand,
  response: ManualResponse,
): { readonly [name: string]: string } {
  const values: [string, string][] = [];
  for (const [name, given] of Object.entries(response.outArgs)) {
    const asked = variableIn(outArgs, name);
    if (asked === undefined) throw new Refusal('answer-variable-unknown', name);
    values.push([name, answeredValue(name, asked.type, given)]);
  }
  const filled = new Set(values.map(([name]) => name));
  const open = Object.keys(outArgs).find((name) => !filled.has(name));
  if (response.success && open !== undefined) throw new Refusal('answer-variable-missing', open);
  return Object.fromEntries(values);
}

/** Only `value` is required; `name` and `type`, when given, must be the ones asked for. */
function answeredValue(name: string, type: string, given: JsonValue): string {
  if (!isJsonObject(given)) throw new Refusal('answer-value-invalid', name);
  const { name: inner, type: stated, value } = given;
  if (inner !== undefined && inner !== name) {
    throw new Refusal('answer-variable-name-mismatch', name, shown(inner));
  }
  if (stated !== undefined && stated !== type) {
    throw new Refusal('answer-variable-type-mismatch', name, type, shown(stated));
  }
  const text = valueText(value, type);
  if (text === undefined) throw new Refusal('answer-value-invalid', name);
  return text;
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
