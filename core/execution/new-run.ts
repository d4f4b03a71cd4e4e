/** The record of an execution that is about to begin. */

import type { StepId } from '../cacao/ids.ts';
import type { Variables } from '../cacao/playbook.ts';
import { beginWorkflow } from '../engine/next.ts';
import type { NewRun } from '../ports/run-store.ts';
import { type ExecutionId, mainWalk } from './ids.ts';
import { type Pinned, pinnedDocument } from './pinned.ts';
import type { Run } from './run.ts';
import type { Workbench } from './workbench.ts';

export type RunRequest = Pick<Run, 'depth' | 'parent' | 'rerunOf' | 'caller' | 'requestDigest'> & {
  readonly pinned: Pinned;
  /** The scope it begins with. */
  readonly variables: Variables;
  /** When it must be over at the latest: the timeout of the step that called it. */
  readonly deadlineMs?: number;
  readonly idempotencyKey?: string;
  /** Where it begins, when not at the plan's start. */
  readonly from?: StepId;
};

export function newRun(bench: Pick<Workbench, 'clock' | 'ids'>, request: RunRequest): NewRun {
  const { pinned, variables, deadlineMs, idempotencyKey, from, ...header } = request;
  const { playbook, plan } = pinned;
  const startAt = from ?? plan.start;
  return {
    run: {
      executionId: bench.ids.uuid() as ExecutionId,
      playbookId: playbook.id,
      name: playbook.name,
      description: playbook.description ?? '',
      status: 'ongoing',
      statusText: 'the playbook is being executed',
      errors: [],
      startedMs: bench.clock.now(),
      parallel: plan.parallel,
      control: 'go',
      ...header,
    },
    snapshot: pinnedDocument(pinned),
    variables,
    walk: {
      walkId: mainWalk,
      turn: 0,
      state: beginWorkflow({ ...plan, start: startAt }, deadlineMs),
      effect: { kind: 'sleep', forMs: 0 },
      attempts: 0,
    },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
