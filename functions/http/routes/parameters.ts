import { Type } from 'typebox';
import type { Parameter } from '../route.ts';

export const playbookIdParameter: Parameter = {
  in: 'path',
  name: 'playbookId',
  description: 'Id of a stored playbook, playbook--<uuid>',
  schema: Type.String(),
};

export const lenientParameter: Parameter = {
  in: 'query',
  name: 'lenient',
  description:
    'true also stores a draft: a playbook that lacks only what is to be bound, such as agents and ' +
    'commands. GET /playbook/{playbookId}/validation lists it; a draft cannot be executed.',
  schema: Type.Boolean(),
};

export const executionIdParameter: Parameter = {
  in: 'path',
  name: 'executionId',
  description: 'Id of an execution, a UUID',
  schema: Type.String({ format: 'uuid' }),
};

export const stepIdParameter: Parameter = {
  in: 'path',
  name: 'stepId',
  description: 'Id of a step of the executed playbook',
  schema: Type.String(),
};

export const preferParameter: Parameter = {
  in: 'header',
  name: 'Prefer',
  description:
    'respond-async answers 202 at once; wait=N waits at most N seconds for the end (RFC 7240)',
  schema: Type.String(),
};

export const idempotencyKeyParameter: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description: 'A repeated trigger with the same key answers the first execution',
  schema: Type.String({ minLength: 1, maxLength: 200 }),
};
