/** Pending manual command and manual response (spec, Resources). */

import { type Static, Type } from 'typebox';
import type { ManualCommand } from '../../../core/execution/manual-command.ts';
import { toVariablesWire, variablesSchema } from './variable.ts';

export const manualCommandSchema = Type.Object(
  {
    type: Type.Literal('manual-step-information'),
    execution_id: Type.String({ format: 'uuid' }),
    playbook_id: Type.String(),
    step_id: Type.String(),
    description: Type.String(),
    command: Type.String(),
    command_is_base64: Type.Boolean(),
    targets: Type.Record(
      Type.String(),
      Type.Unsafe<object>({ $ref: '#/components/schemas/AgentTarget' }),
    ),
    out_args: variablesSchema,
  },
  { title: 'ManualCommand' },
);

export function toManualWire(command: ManualCommand): Static<typeof manualCommandSchema> {
  return {
    type: 'manual-step-information',
    execution_id: command.executionId,
    playbook_id: command.playbookId,
    step_id: command.stepId,
    description: command.description,
    command: command.command,
    command_is_base64: command.commandIsBase64,
    targets: { ...command.targets },
    out_args: toVariablesWire(command.outArgs),
  };
}

const answeredVariable = Type.Object({
  type: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
});

/** Only documentation: the handler reads the body member by member to name what is wrong. */
export const manualResponseSchema = Type.Object(
  {
    type: Type.Optional(Type.Literal('manual-step-response')),
    execution_id: Type.String({ format: 'uuid' }),
    playbook_id: Type.Optional(Type.String()),
    step_id: Type.String(),
    response_status: Type.Union([Type.Literal('success'), Type.Literal('failure')]),
    response_out_args: Type.Optional(Type.Record(Type.String(), answeredVariable)),
  },
  { title: 'ManualResponse' },
);

export const manualAcceptedSchema = Type.Object(
  {
    'execution-id': Type.String({ format: 'uuid' }),
    'playbook-id': Type.String(),
    step_id: Type.String(),
  },
  { title: 'ManualAccepted' },
);
