/** The `ask` effect: one command of a manual step, put to the operators for one target. */

import { argumentVariables } from '../cacao/arguments.ts';
import { agentDefinitions, commandsOf, definitionOf } from '../cacao/definitions.ts';
import type { AgentTarget, WorkflowStep } from '../cacao/playbook.ts';
import { lookupIn, outputVariables } from '../cacao/variables.ts';
import type { Effect, StepFailure } from '../engine/effects.ts';
import { bindCommand, isUnusable } from './bind.ts';
import type { ManualCommand } from './manual-command.ts';
import { waitUntil } from './order.ts';
import type { StepRecord, WalkMemo } from './run.ts';
import { reportedVariables, stepOf } from './scope.ts';
import type { NotYet, Settled, TurnContext } from './settled.ts';
import { ongoingRecord } from './step-record.ts';
import { boundTargets } from './targets.ts';
import type { Workbench } from './workbench.ts';

type Ask = Extract<Effect, { readonly kind: 'ask' }>;
type Action = Extract<WorkflowStep, { readonly type: 'action' | 'single' }>;

export type Question = { readonly command: ManualCommand; readonly record: StepRecord };

/** The command to show, or why it cannot be put. `turn` is the turn at which the walk will wait for it. */
export function openQuestion(
  bench: Workbench,
  context: TurnContext,
  effect: Ask,
  turn: number,
): Question | StepFailure {
  const step = actionOf(context, effect);
  const bound = bindQuestion(context, step, effect.question);
  if (isUnusable(bound)) return { status: 'client_side_error', error: bound.unusable };
  const { run, walk, pinned, visible, redact } = context;
  const openedMs = bench.clock.now();
  const timeoutMs = step.timeout && step.timeout > 0 ? step.timeout : bench.limits.manualTimeoutMs;
  const isBase64 = bound.command.command === undefined && bound.command.command_b64 !== undefined;
  const text = redact(bound.text);
  return {
    command: {
      executionId: run.executionId,
      stepId: effect.step,
      playbookId: run.playbookId,
      walkId: walk.walkId,
      turn,
      description: step.description ?? bound.command.description ?? '',
      command: isBase64 ? Buffer.from(text).toString('base64') : text,
      commandIsBase64: isBase64,
      targets: bound.targets,
      outArgs: argumentVariables(step.out_args, visible),
      openedMs,
      deadlineMs: Math.min(openedMs + timeoutMs, effect.deadlineMs ?? Number.POSITIVE_INFINITY),
      state: { kind: 'pending' },
    },
    record: {
      ...ongoingRecord({
        walkId: walk.walkId,
        playbook: pinned.playbook,
        effect,
        variables: visible,
        redact,
      }),
      statusText: 'the step waits for an operator',
      executedBy: 'operator',
      automated: false,
      commandsB64: [...(walk.memo?.answered?.commandsB64 ?? []), base64(text)],
    },
  };
}

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

function answered(
  context: TurnContext,
  effect: Ask,
  command: ManualCommand,
  state: ManualCommand['state'],
  nowMs: number,
): Settled {
  const consumed = { stepId: command.stepId, turn: command.turn };
  const before = context.walk.memo?.answered ?? { variables: {}, commandsB64: [] };
  const answer = state.kind === 'answered' ? state.answer : undefined;
  const variables = {
    ...before.variables,
    ...outputVariables(context.variables, answer?.values ?? {}),
  };
  const commandsB64 = [
    ...before.commandsB64,
    command.commandIsBase64 ? command.command : base64(command.command),
  ];
  const failure = failureOf(answer?.success);
  const isLast = failure !== undefined || effect.question + 1 === questionsOf(context, effect);
  const shown = ongoingRecord({
    walkId: context.walk.walkId,
    playbook: context.pinned.playbook,
    effect,
    variables: context.visible,
    redact: context.redact,
  });
  const record: StepRecord = {
    ...shown,
    commandsB64,
    automated: false,
    executedBy: answer?.answeredBy ?? 'operator',
    variables: reportedVariables(context.visible, variables, context.redact),
    ...(isLast ? endOf(failure, answer?.answeredMs ?? nowMs) : {}),
  };
  const memo: WalkMemo = { answered: { variables, commandsB64 } };
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

/** Commands outside, targets inside: every target gets the first command before any gets the second. */
function bindQuestion(context: TurnContext, step: Action, question: number) {
  const { pinned, visible } = context;
  const lookup = lookupIn(visible);
  const agent = definitionOf(agentDefinitions(pinned.playbook), step.agent ?? '');
  if (agent === undefined) return { unusable: `There is no agent ${step.agent}.` };
  const targets = boundTargets(pinned.playbook, step, agent, lookup, true);
  if (isUnusable(targets)) return targets;
  const command = commandsOf(step)[Math.floor(question / targets.length)];
  const chosen = targets[question % targets.length];
  if (command === undefined) return { unusable: `The step has no command ${question + 1}.` };
  const bound = bindCommand(command, lookup);
  return isUnusable(bound) ? bound : { ...bound, targets: shownTargets(chosen) };
}

function shownTargets(
  chosen: { readonly target?: AgentTarget; readonly targetId?: string } | undefined,
): {
  readonly [id: string]: AgentTarget;
} {
  if (chosen?.target === undefined || chosen.targetId === undefined) return {};
  return { [chosen.targetId]: chosen.target };
}

function actionOf(context: TurnContext, effect: Ask): Action {
  const step = stepOf(context.pinned.playbook, effect.step);
  if (step?.type !== 'action' && step?.type !== 'single') {
    throw new Error(`Step ${effect.step} is not an action.`);
  }
  return step;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
