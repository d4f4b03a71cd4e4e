/** The `ask` effect while its question waits: answered, expired, or withdrawn with its execution. */

import { outputVariables } from '../../cacao/variables.ts';
import type { Effect, StepFailure } from '../../engine/effects.ts';
import type { ManualCommand } from '../manual-command.ts';
import type { StepRecord, WalkMemo } from '../run.ts';
import { reportedVariables } from '../scope.ts';
import type { Workbench } from '../workbench.ts';
import { waitUntil } from './order.ts';
import type { NotYet, Settled, TurnContext } from './settled.ts';
import { ongoingRecord } from './step-record.ts';
import { redactAlso } from './turn-context.ts';

type Ask = Extract<Effect, { readonly kind: 'ask' }>;

/** Looks at the question in the store: answered, expired, or still to be waited for. */
export async function settleQuestion(
  bench: Workbench,
  context: TurnContext,
  effect: Ask,
): Promise<Settled | NotYet> {
  const { run, walk } = context;
  const { manual } = bench.stores;
  const command = await manual.get(run.executionId, effect.step, walk.walkId);
  if (command === undefined || command.turn !== walk.turn) {
    throw new Error(`The manual command of step ${effect.step} is not in the store.`);
  }
  const nowMs = bench.clock.now();
  if (command.state.kind === 'pending' && nowMs < command.deadlineMs) {
    return { order: waitUntil(walk.turn, command.deadlineMs, nowMs) };
  }
  // Whoever is first wins: an answer may arrive between the look above and this one.
  const settled =
    command.state.kind === 'pending'
      ? await manual.settle(
          run.executionId,
          effect.step,
          walk.turn,
          { kind: 'expired' },
          walk.walkId,
        )
      : { state: command.state };
  const state = settled?.state ?? { kind: 'expired' };
  return answered(context, effect, command, state, nowMs);
}

/** The question disappears with its execution; the report keeps what was asked. */
export async function withdrawQuestion(
  bench: Workbench,
  context: TurnContext,
  effect: Ask,
): Promise<Settled> {
  const { run, walk } = context;
  const command = await bench.stores.manual.get(run.executionId, effect.step, walk.walkId);
  const records = command === undefined ? [] : [askedRecord(context, effect, command)];
  return {
    outputs: {},
    records,
    consumed: { stepId: effect.step, turn: walk.turn, ending: 'withdrawn' },
  };
}

/** The step as it is reported while it waits for the answer to this command. */
function askedRecord(context: TurnContext, effect: Ask, command: ManualCommand): StepRecord {
  const { walk, pinned, visible, redact } = context;
  const shown = command.commandIsBase64 ? command.command : base64(command.command);
  return {
    ...ongoingRecord({
      walkId: walk.walkId,
      playbook: pinned.playbook,
      effect,
      variables: visible,
      redact,
    }),
    commandsB64: [...(walk.memo?.answered?.commandsB64 ?? []), shown],
    automated: false,
    executedBy: 'operator',
  };
}

function answered(
  context: TurnContext,
  effect: Ask,
  command: ManualCommand,
  state: ManualCommand['state'],
  nowMs: number,
): Settled {
  const answer = state.kind === 'answered' ? state.answer : undefined;
  const ending = answer === undefined ? 'expired' : 'answered';
  const consumed = { stepId: command.stepId, turn: command.turn, ending } as const;
  const variables = {
    ...context.walk.memo?.answered?.variables,
    ...outputVariables(context.variables, answer?.values ?? {}),
  };
  const failure = failureOf(answer?.success);
  const isLast = failure !== undefined || effect.question + 1 === questionsOf(context, effect);
  const asked = askedRecord(context, effect, command);
  const redact = redactAlso(context, variables);
  const record: StepRecord = {
    ...asked,
    executedBy: answer?.answeredBy ?? asked.executedBy,
    variables: reportedVariables(context.visible, variables, redact),
    ...(isLast ? endOf(failure, answer?.answeredMs ?? nowMs) : {}),
  };
  const memo: WalkMemo = { answered: { variables, commandsB64: asked.commandsB64 } };
  if (!isLast) return { outputs: {}, records: [record], consumed, memo };
  if (failure !== undefined) return { outputs: {}, records: [record], consumed, failure };
  return { outputs: variables, records: [record], consumed };
}

function endOf(
  failure: StepFailure | undefined,
  endedMs: number,
): Pick<StepRecord, 'status' | 'statusText' | 'errors'> & { readonly endedMs: number } {
  if (failure === undefined) {
    return {
      status: 'successfully_executed',
      statusText: 'an operator answered',
      errors: [],
      endedMs,
    };
  }
  return {
    status: failure.status,
    statusText: 'the step failed',
    errors: [failure.error],
    endedMs,
  };
}

function failureOf(success: boolean | undefined): StepFailure | undefined {
  if (success === true) return undefined;
  if (success === false) return { status: 'failed', error: 'The operator reported failure.' };
  return { status: 'timeout_error', error: 'No operator answered in time.' };
}

function questionsOf(context: TurnContext, effect: Ask): number {
  const step = context.pinned.plan.steps[effect.step];
  return step?.type === 'action' ? step.questions : 1;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
