/** /execution/dry-run: which way a playbook takes, without performing anything. */

import { Type } from 'typebox';
import { Refusal } from '../../../core/errors/refusal.ts';
import { dryRunPlaybook } from '../../../core/execution/operations/dry-run-playbook.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import type { Composition } from '../../composition.ts';
import { requireObject } from '../read-json.ts';
import type { Route } from '../route.ts';
import { statusSchema } from '../wire/execution-reference.ts';
import { toVariablesWire, variablesSchema } from '../wire/variable.ts';
import { playbookIdOf } from './playbooks.ts';

const scriptedAnswerSchema = Type.Object(
  {
    status: Type.Optional(statusSchema),
    error: Type.Optional(Type.String()),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'ScriptedAnswer' },
);

const requestSchema = Type.Object(
  {
    playbook: Type.Optional(Type.Unsafe<object>({ $ref: '#/components/schemas/Playbook' })),
    playbook_id: Type.Optional(Type.String({ description: 'A stored playbook instead' })),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    answers: Type.Optional(
      Type.Record(Type.String(), Type.Array(scriptedAnswerSchema), {
        description: 'By step id, in order; the last one repeats. Other steps succeed.',
      }),
    ),
  },
  { title: 'DryRunRequest' },
);

const resultSchema = Type.Object(
  {
    status: statusSchema,
    errors: Type.Array(Type.String()),
    steps: Type.Array(
      Type.Object({
        step_id: Type.String(),
        status: statusSchema,
        status_text: Type.String(),
        error: Type.Optional(Type.String()),
      }),
    ),
    variables: variablesSchema,
  },
  { title: 'DryRunResult' },
);

export const dryRunRoutes: readonly Route[] = [
  {
    name: 'execution-dry-run',
    method: 'POST',
    path: 'execution/dry-run',
    needs: 'playbook:read',
    tag: 'execution',
    summary: 'Walk a playbook with scripted answers; nothing is stored, performed or asked',
    body: { schema: requestSchema, required: true },
    answers: { 200: { description: 'The way it takes', schema: resultSchema } },
    refusals: [
      'playbook-invalid',
      'playbook-draft',
      'playbook-missing',
      'script-invalid',
      'step-missing',
    ],
    handle: async ({ composition, json }) => {
      const body = requireObject(await json());
      const document = await documentOf(composition, body);
      const variables = memberOf(body, 'variables');
      const answers = memberOf(body, 'answers');
      const ran = dryRunPlaybook(composition.bench, document, variables, answers);
      const steps = ran.visited.map(({ step, status, text, error }) => ({
        step_id: step,
        status,
        status_text: text,
        ...(error === undefined ? {} : { error }),
      }));
      const { status, errors } = ran.outcome;
      const result = { status, errors, steps, variables: toVariablesWire(ran.variables) };
      return { status: 200, body: result };
    },
  },
];

async function documentOf(composition: Composition, body: JsonObject): Promise<JsonObject> {
  if (body['playbook'] !== undefined) return memberOf(body, 'playbook');
  const { playbook_id: text } = body;
  if (typeof text !== 'string') {
    throw new Refusal('body-invalid', 'it needs a playbook or a playbook_id');
  }
  const document = await composition.stores.playbooks.get(playbookIdOf(text));
  if (document === undefined) throw new Refusal('playbook-missing', text);
  return document;
}

function memberOf(body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? {};
  if (!isJsonObject(value)) throw new Refusal('body-invalid', `${name} is not an object`);
  return value;
}
