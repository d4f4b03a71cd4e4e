/** Events of an execution as reporters are told them. */

import type { PlaybookId, StepId } from '../../../core/cacao/ids.ts';
import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Run, StepRecord } from '../../../core/execution/run.ts';
import type { RunEvent } from '../../../core/ports/reporter.ts';
import { idOf } from '../../support/a-playbook.ts';

export const startedMs = Date.UTC(2026, 0, 2, 3, 4, 5);

export function aRun(more: Partial<Run> = {}): Run {
  return {
    executionId: '11111111-1111-4111-8111-111111111111' as ExecutionId,
    playbookId: 'playbook--22222222-2222-4222-8222-222222222222' as PlaybookId,
    name: 'Isolate host',
    description: 'Cut it off',
    status: 'ongoing',
    statusText: 'the playbook is being executed',
    errors: [],
    startedMs,
    depth: 0,
    parallel: 'sequential',
    control: 'go',
    ...more,
  };
}

export function aStepRecord(name: string, more: Partial<StepRecord> = {}): StepRecord {
  return {
    invocation: `main#${name}`,
    stepId: idOf('action', name) as StepId,
    name,
    description: '',
    status: 'ongoing',
    statusText: 'the step is being executed',
    errors: [],
    startedMs,
    executedBy: 'svc',
    commandsB64: [],
    variables: {},
    automated: true,
    interruptions: 0,
    ...more,
  };
}

export const started = (run = aRun()): RunEvent => ({ kind: 'execution-started', run });

export const stepStarted = (step: StepRecord, run = aRun()): RunEvent => ({
  kind: 'step-started',
  run,
  step,
});

export const stepEnded = (step: StepRecord, run = aRun()): RunEvent => ({
  kind: 'step-ended',
  run,
  step: { ...step, endedMs: startedMs + 1_000 },
});

export const ended = (more: Partial<Run> = {}): RunEvent => ({
  kind: 'execution-ended',
  run: aRun({ status: 'successfully_executed', endedMs: startedMs + 2_000, ...more }),
});
