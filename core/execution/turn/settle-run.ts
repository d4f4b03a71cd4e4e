/** The `run` effect: begins, performs and records one action step. */

import { isSecretReference } from '../../cacao/secret-reference.ts';
import { outputVariables } from '../../cacao/variables.ts';
import type { Effect } from '../../engine/effects.ts';
import type { StepRecord } from '../run.ts';
import { reportedVariables, stepOf } from '../scope.ts';
import type { Workbench } from '../workbench.ts';
import { type ActionResult, performAction } from './perform-action.ts';
import type { Settled, TurnContext } from './settled.ts';
import { ongoingRecord } from './step-record.ts';
import { redactAlso } from './turn-context.ts';

type Run = Extract<Effect, { readonly kind: 'run' }>;

/** 'stale' when another process has done this turn meanwhile. */
export async function settleRun(
  bench: Workbench,
  turn: TurnContext,
  effect: Run,
): Promise<Settled | 'stale'> {
  const { run, walk, pinned, visible, redact } = turn;
  const step = stepOf(pinned.playbook, effect.step);
  if (step === undefined || (step.type !== 'action' && step.type !== 'single')) {
    throw new Error(`Step ${effect.step} is not an action.`);
  }
  const beginning = ongoingRecord({
    walkId: walk.walkId,
    playbook: pinned.playbook,
    effect,
    variables: visible,
    redact,
  });
  const attempts = await bench.stores.journal.begin(
    run.executionId,
    walk.walkId,
    walk.turn,
    walk.attempts === 0 ? beginning : interrupted(beginning, walk.attempts),
  );
  if (attempts === 'stale') return 'stale';
  const record = attempts > 1 ? interrupted(beginning, attempts - 1) : beginning;
  bench.report({ kind: 'step-started', run, step: record });

  const deadlineMs = effect.deadlineMs ?? bench.clock.now() + bench.limits.stepTimeoutMs;
  const cancellation = bench.cancellations.watch(run.executionId);
  try {
    const result = await performAction(
      {
        playbook: pinned.playbook,
        step,
        variables: visible,
        context: {
          executionId: run.executionId,
          playbookId: run.playbookId,
          stepId: effect.step,
          workKey: `${run.executionId}/${record.invocation}`,
          deadlineMs,
        },
        references: pinned.secrets.filter(isSecretReference),
        signal: AbortSignal.any([cancellation.signal, timeLimit(deadlineMs - bench.clock.now())]),
      },
      bench.capabilities,
      bench.vault,
    );
    const settled = settledResult(record, result, turn, bench.clock.now());
    return cancellation.signal.aborted ? { ...settled, cancelled: cancelledText } : settled;
  } finally {
    cancellation.stop();
  }
}

/** The step as it was left when the service was interrupted and nobody will take it up again. */
export function interruptedRun(
  { walk, pinned, visible, redact }: TurnContext,
  effect: Run,
): readonly StepRecord[] {
  if (walk.attempts === 0) return [];
  const { playbook } = pinned;
  const record = ongoingRecord({
    walkId: walk.walkId,
    playbook,
    effect,
    variables: visible,
    redact,
  });
  return [interrupted(record, walk.attempts)];
}

export const cancelledText = 'The execution was cancelled.';

/** setTimeout, and with it AbortSignal.timeout, cannot count further than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function timeLimit(remainingMs: number): AbortSignal {
  // An interrupted step may be taken up again after its time: then nothing is sent any more.
  if (remainingMs <= 0) return AbortSignal.abort(new DOMException('Too late.', 'TimeoutError'));
  return AbortSignal.timeout(Math.min(LONGEST_TIMER_MS, remainingMs));
}

function interrupted(record: StepRecord, interruptions: number): StepRecord {
  const times = interruptions === 1 ? 'once' : `${interruptions} times`;
  const statusText = `the step is being executed; the service was interrupted ${times} meanwhile, so its commands may have run before`;
  return { ...record, interruptions, statusText };
}

function settledResult(
  record: StepRecord,
  result: ActionResult,
  turn: TurnContext,
  endedMs: number,
): Settled {
  const { failure } = result;
  const returned = outputVariables(turn.visible, result.returned);
  const redact = redactAlso(turn, returned, result.secrets);
  const again =
    record.interruptions === 0 ? '' : ' after an interruption of the service, which began it again';
  const outcome = failure === undefined ? 'the step was executed' : 'the step failed';
  const hidden = failure && { ...failure, error: redact(failure.error) };
  const ended: StepRecord = {
    ...record,
    status: failure?.status ?? 'successfully_executed',
    statusText: `${outcome}${again}`,
    errors: hidden === undefined ? [] : [hidden.error],
    endedMs,
    executedBy: result.executedBy,
    commandsB64: result.invoked.map((text) => Buffer.from(redact(text)).toString('base64')),
    variables: reportedVariables(turn.visible, returned, redact),
  };
  const outputs = outputVariables(turn.variables, result.outputs);
  return { outputs, records: [ended], ...(hidden === undefined ? {} : { failure: hidden }) };
}
