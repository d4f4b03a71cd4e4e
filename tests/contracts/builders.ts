/** Plausible values for the stores' contract suites; each test names only what it is about. */

import type { PlaybookId, StepId } from '../../core/cacao/ids.ts';
import { type ExecutionId, mainWalk, type WalkId } from '../../core/execution/ids.ts';
import type { ManualCommand } from '../../core/execution/manual-command.ts';
import type { Run, StepRecord, Variables, WalkRecord } from '../../core/execution/run.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Commit } from '../../core/ports/run-journal.ts';
import type { NewRun } from '../../core/ports/run-store.ts';

export function playbookId(n: number): PlaybookId {
  return `playbook--00000000-0000-4000-8000-${digits(n)}` as PlaybookId;
}

export function stepId(n: number): StepId {
  return `action--00000000-0000-4000-8000-${digits(n)}` as StepId;
}

export function executionId(n: number): ExecutionId {
  return `00000000-0000-4000-9000-${digits(n)}` as ExecutionId;
}

export function walkId(text: string): WalkId {
  return text as WalkId;
}

export function aPlaybook(n: number, more: JsonObject = {}): JsonObject {
  return { type: 'playbook', id: playbookId(n), name: `playbook ${n}`, ...more };
}

export function aRun(n: number, more: Partial<Run> = {}): Run {
  return {
    executionId: executionId(n),
    playbookId: playbookId(1),
    name: `run ${n}`,
    description: '',
    status: 'ongoing',
    statusText: 'the playbook is being executed',
    errors: [],
    startedMs: 1_000 + n,
    depth: 0,
    parallel: 'sequential',
    control: 'go',
    ...more,
  };
}

export function aWalk(turn: number, more: Partial<WalkRecord> = {}): WalkRecord {
  return {
    walkId: mainWalk,
    turn,
    state: {
      frames: [{ kind: 'workflow', cursor: stepId(1), stage: { at: 'entering' } }],
      invocations: turn,
      errors: [],
    },
    effect: { kind: 'run', step: stepId(1), invocation: turn, startedMs: 1_000 },
    attempts: 0,
    ...more,
  };
}

export function aNewRun(n: number, more: Partial<NewRun> = {}): NewRun {
  return { run: aRun(n), snapshot: aPlaybook(1), variables: {}, walk: aWalk(0), ...more };
}

export function aStep(invocation: string, more: Partial<StepRecord> = {}): StepRecord {
  return {
    invocation,
    stepId: stepId(1),
    name: 'a step',
    description: '',
    status: 'successfully_executed',
    statusText: 'the step was executed',
    errors: [],
    startedMs: 1_000,
    endedMs: 1_001,
    executedBy: 'svc',
    commandsB64: ['bHM='],
    variables: {},
    automated: true,
    interruptions: 0,
    ...more,
  };
}

export function anOngoingStep(invocation: string, more: Partial<StepRecord> = {}): StepRecord {
  const { endedMs: _, ...step } = aStep(invocation, { status: 'ongoing', ...more });
  return step;
}

/** Turn `fromTurn` of a walk of run `n`, changing nothing but the walk's place. */
export function aCommit(n: number, fromTurn: number, more: Partial<Commit> = {}): Commit {
  const walk = more.walkId ?? mainWalk;
  return {
    executionId: executionId(n),
    walkId: walk,
    fromTurn,
    walk: aWalk(fromTurn + 1, { walkId: walk }),
    variables: {},
    steps: [],
    ...more,
  };
}

/** The commit that ends run `n`. */
export function anEnd(n: number, fromTurn = 0, more: Partial<Commit> = {}): Commit {
  return aCommit(n, fromTurn, {
    walk: aWalk(fromTurn + 1, {
      effect: { kind: 'finish', outcome: { status: 'successfully_executed', errors: [] } },
    }),
    run: { status: 'successfully_executed', statusText: 'over', errors: [], endedMs: 9_000 },
    ...more,
  });
}

/** The command run `n` asks with the commit that brings its walk to `turn`. */
export function aCommand(
  n: number,
  turn: number,
  more: Partial<ManualCommand> = {},
): ManualCommand {
  return {
    executionId: executionId(n),
    stepId: stepId(1),
    playbookId: playbookId(1),
    walkId: mainWalk,
    turn,
    description: 'look at the screen',
    command: 'Look.',
    commandIsBase64: false,
    targets: {},
    outArgs: {},
    openedMs: 2_000,
    deadlineMs: 602_000,
    state: { kind: 'pending' },
    ...more,
  };
}

export function text(value: string): Variables[string] {
  return { type: 'string', value };
}

/** Calls `change` although the type forbids it; stores may freeze what they answer. */
export function tamper<Value>(value: Value, change: (open: Record<string, unknown>) => void): void {
  try {
    change(value as Record<string, unknown>);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

function digits(n: number): string {
  return n.toString(16).padStart(12, '0');
}
