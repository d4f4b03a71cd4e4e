/** One line of a list of executions. */

import { type Static, Type } from 'typebox';
import type { Run } from '../../../core/execution/run.ts';
import { statusSchema } from './execution-reference.ts';
import { toTimestamp } from './timestamp.ts';

export const executionItemSchema = Type.Object(
  {
    execution_id: Type.String({ format: 'uuid' }),
    playbook_id: Type.String(),
    name: Type.String(),
    started: Type.String(),
    ended: Type.Optional(Type.String()),
    status: statusSchema,
  },
  { title: 'ExecutionItem' },
);

export function toItemWire(run: Run): Static<typeof executionItemSchema> {
  return {
    execution_id: run.executionId,
    playbook_id: run.playbookId,
    name: run.name,
    started: toTimestamp(run.startedMs),
    ...(run.endedMs === undefined ? {} : { ended: toTimestamp(run.endedMs) }),
    status: run.status,
  };
}
