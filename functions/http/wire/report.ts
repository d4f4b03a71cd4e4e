/** Execution report and step result (spec, Resources). */

import { type Static, Type } from 'typebox';
import type { Report, StepReport } from '../../../core/execution/operations/report.ts';
import type { Run, StepRecord } from '../../../core/execution/run.ts';
import { statusSchema } from './execution-reference.ts';
import { toTimestamp } from './timestamp.ts';
import { toVariablesWire, variablesSchema } from './variable.ts';

const texts = Type.Array(Type.String());

const stepInvocation = {
  execution_id: Type.String({ format: 'uuid' }),
  step_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  started: Type.String(),
  ended: Type.String(),
  status: statusSchema,
  status_text: Type.String(),
  errors: texts,
  error: Type.Optional(Type.String()),
  executed_by: Type.String(),
  commands_b64: texts,
  variables: variablesSchema,
  automated_execution: Type.Boolean(),
  restarted: Type.Optional(
    Type.Integer({
      description: 'How often the service was interrupted during the step and began it again.',
    }),
  ),
  sub_execution_id: Type.Optional(Type.String({ format: 'uuid' })),
  sub_playbook_id: Type.Optional(Type.String()),
};

export const stepResultSchema = Type.Object(
  {
    ...stepInvocation,
    execution_count: Type.Integer(),
    previous: Type.Array(Type.Object(stepInvocation)),
  },
  { title: 'StepResult' },
);

export const reportSchema = Type.Object(
  {
    type: Type.Literal('execution_status'),
    id: Type.String({ format: 'uuid' }),
    execution_id: Type.String({ format: 'uuid' }),
    playbook_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    started: Type.String(),
    ended: Type.String(),
    status: statusSchema,
    status_text: Type.String(),
    errors: texts,
    step_results: Type.Record(Type.String(), stepResultSchema),
    request_interval: Type.String({ description: 'Suggested seconds between polls.' }),
    parent_execution_id: Type.Optional(Type.String({ format: 'uuid' })),
    parent_step_id: Type.Optional(Type.String()),
    rerun_of_execution_id: Type.Optional(Type.String({ format: 'uuid' })),
    rerun_from_step_id: Type.Optional(Type.String()),
    triggered_by: Type.Optional(Type.String()),
  },
  { title: 'ExecutionReport' },
);

export function toReportWire({ run, steps }: Report): Static<typeof reportSchema> {
  return {
    type: 'execution_status',
    id: run.executionId,
    execution_id: run.executionId,
    playbook_id: run.playbookId,
    name: run.name,
    description: run.description,
    started: toTimestamp(run.startedMs),
    ended: toTimestamp(run.endedMs),
    status: run.status,
    status_text: controlText(run),
    errors: [...run.errors],
    step_results: Object.fromEntries(
      steps.map((step) => [step.latest.stepId, toStepWire(run, step)]),
    ),
    request_interval: '5',
    ...(run.parent === undefined
      ? {}
      : { parent_execution_id: run.parent.executionId, parent_step_id: run.parent.stepId }),
    ...(run.rerunOf === undefined
      ? {}
      : {
          rerun_of_execution_id: run.rerunOf.executionId,
          rerun_from_step_id: run.rerunOf.stepId,
        }),
    ...(run.caller === undefined ? {} : { triggered_by: run.caller }),
  };
}

function toStepWire(run: Run, step: StepReport): Static<typeof stepResultSchema> {
  return {
    ...toInvocationWire(run, step.latest),
    execution_count: step.count,
    previous: step.previous.map((record) => toInvocationWire(run, record)),
  };
}

/** One invocation of one step. */
export function toInvocationWire(run: Run, record: StepRecord) {
  const [error] = record.errors;
  return {
    execution_id: run.executionId,
    step_id: record.stepId,
    name: record.name,
    description: record.description,
    started: toTimestamp(record.startedMs),
    ended: toTimestamp(record.endedMs),
    status: record.status,
    status_text: record.statusText,
    errors: [...record.errors],
    ...(error === undefined ? {} : { error }),
    executed_by: record.executedBy,
    commands_b64: [...record.commandsB64],
    variables: toVariablesWire(record.variables),
    automated_execution: record.automated,
    ...(record.interruptions === 0 ? {} : { restarted: record.interruptions }),
    ...(record.child === undefined
      ? {}
      : {
          sub_execution_id: record.child.executionId,
          sub_playbook_id: record.child.playbookId,
        }),
  };
}

/** The status enum has no word for these. */
function controlText(run: Run): string {
  if (run.status !== 'ongoing' || run.control === 'go') return run.statusText;
  return run.control === 'pause' ? 'the execution is paused' : 'the execution is being cancelled';
}
