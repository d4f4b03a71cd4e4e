/** Workflow steps (CACAO 2.0, section 4) and `single`, the action step of older playbooks. */

import { type Static, type TSchema, Type } from 'typebox';
import type { AgentTargetId, AuthenticationInfoId, ObjectId, PlaybookId, StepId } from '../ids.ts';
import { command } from './command.ts';
import {
  absent,
  component,
  externalReferences,
  identifier,
  mapOf,
  opaque,
  text,
  timestamp,
} from './primitives.ts';
import { variables } from './variable.ts';

const step = identifier<StepId>('A key of the workflow');

/** A list of variable names (CACAO 2.0) or a map of variables. */
const args = Type.Unsafe<string[] | { [name: string]: unknown }>({
  type: ['array', 'object'],
  items: { type: 'string' } satisfies TSchema,
});

const common = {
  name: Type.Optional(text),
  description: Type.Optional(text),
  external_references: Type.Optional(externalReferences),
  delay: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Milliseconds to wait before the step.' }),
  ),
  timeout: Type.Optional(Type.Integer({ description: 'Milliseconds the step may take.' })),
  step_variables: Type.Optional(component('Variables', variables)),
  owner: Type.Optional(identifier<ObjectId>('The identity responsible for the step')),
  step_extensions: Type.Optional(opaque),
};

const next = {
  on_completion: Type.Optional(step),
  on_success: Type.Optional(step),
  on_failure: Type.Optional(step),
};

const work = {
  agent: Type.Optional(identifier<AgentTargetId>('A key of agent_definitions')),
  targets: Type.Optional(Type.Array(identifier<AgentTargetId>('A key of target_definitions'))),
  authentication_info: Type.Optional(
    identifier<AuthenticationInfoId>('A key of authentication_info_definitions'),
  ),
  in_args: Type.Optional(args),
  out_args: Type.Optional(args),
};

export const startStep = Type.Object({
  type: Type.Literal('start'),
  ...common,
  on_completion: Type.Optional(step),
  on_success: Type.Optional(absent),
  on_failure: Type.Optional(absent),
});

export const endStep = Type.Object({
  type: Type.Literal('end'),
  ...common,
  on_completion: Type.Optional(absent),
  on_success: Type.Optional(absent),
  on_failure: Type.Optional(absent),
});

export const actionStep = Type.Object({
  type: Type.Literal('action'),
  ...common,
  ...next,
  ...work,
  agent: identifier<AgentTargetId>('A key of agent_definitions'),
  commands: Type.Array(component('Command', command), { minItems: 1 }),
});

/** May carry one `command`, a list of them, or none. */
export const singleStep = Type.Object({
  type: Type.Literal('single'),
  ...common,
  ...next,
  ...work,
  command: Type.Optional(component('Command', command)),
  commands: Type.Optional(Type.Array(component('Command', command))),
});

export const playbookActionStep = Type.Object({
  type: Type.Literal('playbook-action'),
  ...common,
  ...next,
  in_args: Type.Optional(args),
  out_args: Type.Optional(args),
  playbook_id: identifier<PlaybookId>('The stored playbook to run'),
  playbook_version: Type.Optional(timestamp),
});

export const parallelStep = Type.Object({
  type: Type.Literal('parallel'),
  ...common,
  ...next,
  next_steps: Type.Array(step, { minItems: 1 }),
});

export const ifStep = Type.Object({
  type: Type.Literal('if-condition'),
  ...common,
  ...next,
  condition: text,
  on_true: step,
  on_false: Type.Optional(step),
});

export const whileStep = Type.Object({
  type: Type.Literal('while-condition'),
  ...common,
  ...next,
  condition: text,
  on_true: step,
});

export const switchStep = Type.Object({
  type: Type.Literal('switch-condition'),
  ...common,
  ...next,
  switch: text,
  cases: mapOf(step, 'Branch starts by value; `default` when none matches.'),
});

const steps = [
  startStep,
  endStep,
  actionStep,
  singleStep,
  playbookActionStep,
  parallelStep,
  ifStep,
  whileStep,
  switchStep,
] as const;

export const workflowStep = Type.Unsafe<Static<(typeof steps)[number]>>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [...steps],
});

export const stepTypes = steps.map((schema) => schema.properties.type.const);
