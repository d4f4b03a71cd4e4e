/** /manual: pending manual commands and their answers. */

import { Type } from 'typebox';
import { callerLabel } from '../../../core/access/caller-label.ts';
import { parseStepId, type StepId } from '../../../core/cacao/ids.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import {
  answerManual,
  type ManualResponse,
} from '../../../core/execution/operations/answer-manual.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { requireObject } from '../read-json.ts';
import type { Call, Route } from '../route.ts';
import {
  manualAcceptedSchema,
  manualCommandSchema,
  manualResponseSchema,
  toManualWire,
} from '../wire/manual.ts';
import { executionIdParameter, stepIdParameter } from './parameters.ts';
import { executionIdOf } from './reporter.ts';

const tag = 'manual';

export const manualRoutes: readonly Route[] = [
  {
    name: 'manual-list',
    method: 'GET',
    path: 'manual',
    needs: 'playbook:read',
    tag,
    summary: 'The manual commands waiting for an operator, oldest first',
    answers: { 200: { description: 'The commands', schema: Type.Array(manualCommandSchema) } },
    handle: async ({ composition }) => {
      const nowMs = composition.bench.clock.now();
      const pending = await composition.stores.manual.list();
      const open = pending.filter(({ deadlineMs }) => nowMs < deadlineMs);
      return { status: 200, body: open.map(toManualWire) };
    },
  },
  {
    name: 'manual-read',
    method: 'GET',
    path: 'manual/{executionId}/{stepId}',
    needs: 'playbook:read',
    tag,
    summary: 'One manual command waiting for an operator',
    parameters: [executionIdParameter, stepIdParameter],
    answers: { 200: { description: 'The command', schema: manualCommandSchema } },
    refusals: ['execution-id-malformed', 'manual-missing'],
    handle: async ({ composition, param }) => {
      const executionId = executionIdOf(param('executionId'));
      const stepId = stepIdOf(param('stepId'), executionId);
      const command = await composition.stores.manual.get(executionId, stepId);
      const isOpen =
        command?.state.kind === 'pending' && composition.bench.clock.now() < command.deadlineMs;
      if (command === undefined || !isOpen)
        throw new Refusal('manual-missing', stepId, executionId);
      return { status: 200, body: toManualWire(command) };
    },
  },
  {
    name: 'manual-continue',
    method: 'POST',
    path: 'manual/continue',
    needs: 'playbook:execute',
    tag,
    summary: 'Answer a manual command; the first answer counts',
    body: { schema: manualResponseSchema, required: true },
    answers: { 200: { description: 'The answer counts', schema: manualAcceptedSchema } },
    refusals: [
      'manual-missing',
      'execution-id-malformed',
      'answer-incomplete',
      'answer-status-invalid',
      'answer-playbook-mismatch',
      'answer-variable-missing',
      'answer-variable-unknown',
      'answer-variable-type-mismatch',
      'answer-variable-name-mismatch',
      'answer-value-invalid',
    ],
    durable: true,
    handle: async (call) => {
      const response = readResponse(requireObject(await call.json()), call);
      const { bench } = call.composition;
      const command = await answerManual(bench, call.orchestrations, response);
      const { executionId, playbookId, stepId } = command;
      const body = { 'execution-id': executionId, 'playbook-id': playbookId, step_id: stepId };
      return { status: 200, body };
    },
  },
];

/** `type` and unknown members are tolerated; real clients send neither or more. */
function readResponse(body: JsonObject, { caller }: Call): ManualResponse {
  const executionId = executionIdOf(textOf(body, 'execution_id'));
  const stepId = stepIdOf(textOf(body, 'step_id'), executionId);
  const status = textOf(body, 'response_status');
  if (status !== 'success' && status !== 'failure') throw new Refusal('answer-status-invalid');
  const outArgs = body['response_out_args'] ?? {};
  if (!isJsonObject(outArgs)) {
    throw new Refusal('body-invalid', 'response_out_args is not an object');
  }
  const { playbook_id: playbookId } = body;
  const name = callerLabel(caller);
  return {
    executionId,
    stepId,
    success: status === 'success',
    outArgs,
    ...(playbookId === undefined || playbookId === null
      ? {}
      : { playbookId: textOf(body, 'playbook_id') }),
    ...(name === undefined ? {} : { caller: name }),
  };
}

function textOf(body: JsonObject, member: string): string {
  const value = body[member];
  if (value === undefined || value === null || value === '') {
    throw new Refusal('answer-incomplete', member);
  }
  if (typeof value !== 'string') throw new Refusal('body-invalid', `${member} is not a text`);
  return value;
}

function stepIdOf(text: string, executionId: string): StepId {
  const id = parseStepId(text);
  if (id === undefined) throw new Refusal('manual-missing', text, executionId);
  return id;
}
