import { type Static, Type } from 'typebox';
import { type Run, type Status, statuses } from '../../../core/execution/run.ts';

export const statusSchema = Type.Unsafe<Status>({ type: 'string', enum: statuses });

/** Execution reference (spec, Resources), with the status reached so far. */
export const executionReferenceSchema = Type.Object(
  {
    'execution-id': Type.String({ format: 'uuid' }),
    'playbook-id': Type.String(),
    status: Type.Optional(statusSchema),
  },
  { title: 'ExecutionReference' },
);

export function toReferenceWire(
  run: Pick<Run, 'executionId' | 'playbookId'> & Partial<Pick<Run, 'status'>>,
): Static<typeof executionReferenceSchema> {
  return {
    'execution-id': run.executionId,
    'playbook-id': run.playbookId,
    ...(run.status === undefined ? {} : { status: run.status }),
  };
}
