/** The `run` effect: begins, performs and records one action step. */

import { outputVariables } from '../cacao/variables.ts';
import type { Effect } from '../engine/effects.ts';
import { type ActionResult, performAction } from './perform-action.ts';
import { type Redact, redactor, redactVariables } from './redaction.ts';
import type { StepRecord } from './run.ts';
import { reportedVariables, stepOf } from './scope.ts';
import type { Settled, TurnContext } from './settled.ts';
import { ongoingRecord } from './step-record.ts';
import type { Workbench } from './workbench.ts';

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
        signal: AbortSignal.any([cancellation.signal, timeLimit(deadlineMs - bench.clock.now())]),
      },
      bench.capabilities,
    );
    const redact = alsoHiding(result.secrets, turn.redact);
    const ended = endedRecord(record, result, { ...turn, redact }, bench.clock.now());
    const settled = {
      outputs: outputVariables(turn.variables, result.outputs),
      records: [ended],
      ...(result.failure === undefined
        ? {}
        : { failure: { ...result.failure, error: redact(result.failure.error) } }),
    };
    return cancellation.signal.aborted ? { ...settled, cancelled: cancelledText } : settled;
  } finally {
    cancellation.stop();
  }
}

export const cancelledText = 'The execution was cancelled.';

/** setTimeout, and with it AbortSignal.timeout, cannot count further than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function timeLimit(remainingMs: number): AbortSignal {
  return AbortSignal.timeout(Math.min(LONGEST_TIMER_MS, Math.max(1, remainingMs)));
}

function interrupted(record: StepRecord, interruptions: number): StepRecord {
  const times = interruptions === 1 ? 'once' : `${interruptions} times`;
  const statusText = `the step is being executed; the service was interrupted ${times} meanwhile, so its commands may have run before`;
  return { ...record, interruptions, statusText };
}

function endedRecord(
  record: StepRecord,
  result: ActionResult,
  { redact, visible }: TurnContext,
  endedMs: number,
): StepRecord {
  const { failure } = result;
  const again =
    record.interruptions === 0 ? '' : ' after an interruption of the service, which began it again';
  const outcome = failure === undefined ? 'the step was executed' : 'the step failed';
  return {
    ...record,
    status: failure?.status ?? 'successfully_executed',
    statusText: `${outcome}${again}`,
    errors: failure === undefined ? [] : [redact(failure.error)],
    endedMs,
    executedBy: result.executedBy,
    commandsB64: result.invoked.map((text) => Buffer.from(redact(text)).toString('base64')),
    variables: reportedVariables(
      visible,
      redactVariables(outputVariables(visible, result.returned), redact),
      redact,
    ),
  };
}

function alsoHiding(secrets: readonly string[], redact: Redact): Redact {
  const redactMore = redactor(secrets);
  return (text) => redact(redactMore(text));
}
