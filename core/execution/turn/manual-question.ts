/** The `ask` effect: one command of a manual step, put to the operators for one target. */

import { argumentVariables } from '../../cacao/arguments.ts';
import { agentDefinitions, commandsOf, definitionOf } from '../../cacao/definitions.ts';
import type { AgentTarget, WorkflowStep } from '../../cacao/playbook.ts';
import { lookupIn } from '../../cacao/variables.ts';
import type { Effect, StepFailure } from '../../engine/effects.ts';
import type { ManualCommand } from '../manual-command.ts';
import { redactTexts, redactVariables } from '../redaction.ts';
import type { StepRecord } from '../run.ts';
import { stepOf } from '../scope.ts';
import type { Workbench } from '../workbench.ts';
import { bindCommand, isUnusable } from './bind.ts';
import type { TurnContext } from './settled.ts';
import { ongoingRecord } from './step-record.ts';
import { boundTargets } from './targets.ts';

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
      description: redact(step.description ?? bound.command.description ?? ''),
      command: isBase64 ? Buffer.from(text).toString('base64') : text,
      commandIsBase64: isBase64,
      targets: redactTexts(bound.targets, redact),
      outArgs: redactVariables(argumentVariables(step.out_args, visible), redact),
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
