/** The only place that decides the status of an execution. ongoing -> one of the others, once. */

import type { WalkOutcome } from '../engine/effects.ts';
import type { Run, Status } from './run.ts';

export type RunEnd = Required<Pick<Run, 'status' | 'statusText' | 'errors' | 'endedMs'>>;

const texts: { readonly [status in Status]: string } = {
  ongoing: 'the playbook is being executed',
  successfully_executed: 'the playbook was executed successfully',
  failed: 'something went wrong in the playbook',
  server_side_error: 'the service failed while executing the playbook',
  client_side_error: 'the data supplied for the playbook raised a problem',
  timeout_error: 'the playbook timed out',
  exception_condition_error: 'the playbook raised an exception, which its exception branch handled',
};

/** Undefined when the run has ended before: an end is never overwritten. */
export function endedRun(
  current: Status,
  outcome: WalkOutcome,
  endedMs: number,
): RunEnd | undefined {
  if (current !== 'ongoing') return undefined;
  const { status, errors } = outcome;
  return { status, statusText: texts[status], errors, endedMs };
}
