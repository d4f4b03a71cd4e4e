/** /trigger: executing a stored or an ad hoc playbook. */

import { Type } from 'typebox';
import { callerLabel } from '../../../core/access/caller-label.ts';
import { cacaoComponents } from '../../../core/cacao/schema/components.ts';
import type { RefusalCode } from '../../../core/errors/catalogue.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import { awaitEnd } from '../../../core/execution/operations/await-end.ts';
import { retain } from '../../../core/execution/operations/retention.ts';
import {
  type Trigger,
  triggerDocument,
  triggerStored,
} from '../../../core/execution/operations/trigger.ts';
import type { Run } from '../../../core/execution/run.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { type Preference, readPreference } from '../prefer.ts';
import { requireObject } from '../read-json.ts';
import type { Answer, Call, Route } from '../route.ts';
import { executionReferenceSchema, toReferenceWire } from '../wire/execution-reference.ts';
import { idempotencyKeyParameter, playbookIdParameter, preferParameter } from './parameters.ts';
import { playbookIdOf } from './playbooks.ts';

const tag = 'trigger';

const answers = {
  200: {
    description: 'The execution has ended; status tells how',
    schema: executionReferenceSchema,
  },
  202: {
    description: 'The execution goes on; Location names its report',
    schema: executionReferenceSchema,
  },
};

const refusals: readonly RefusalCode[] = [
  'playbook-invalid',
  'playbook-draft',
  'idempotency-key-reused',
  'header-invalid',
  'body-too-large',
];

const givenVariables = Type.Record(
  Type.String(),
  Type.Unsafe<object>({ $ref: '#/components/schemas/Variable' }),
  {
    description: 'Values for variables declared external, by name',
  },
);

export const triggerRoutes: readonly Route[] = [
  {
    name: 'trigger-ad-hoc',
    method: 'POST',
    path: 'trigger/playbook',
    needs: 'playbook:execute',
    tag,
    summary: 'Execute the playbook in the body without storing it',
    parameters: [preferParameter, idempotencyKeyParameter],
    body: { schema: cacaoComponents.Playbook, required: true },
    answers,
    refusals,
    durable: true,
    handle: async (call) => {
      const preference = readPreference(call.header('prefer'));
      const document = requireObject(await call.json());
      const { bench } = call.composition;
      const trigger = triggerOf(call, {});
      return answerOf(
        call,
        await triggerDocument(bench, call.orchestrations, document, trigger),
        preference,
      );
    },
  },
  {
    name: 'trigger-stored',
    method: 'POST',
    path: 'trigger/playbook/{playbookId}',
    needs: 'playbook:execute',
    tag,
    summary: 'Execute a stored playbook',
    parameters: [playbookIdParameter, preferParameter, idempotencyKeyParameter],
    body: { schema: givenVariables, required: false },
    answers,
    refusals: [
      'playbook-missing',
      'variable-unknown',
      'variable-not-external',
      'variable-type-mismatch',
      'variable-name-mismatch',
      'variable-value-invalid',
      ...refusals,
    ],
    durable: true,
    handle: async (call) => {
      const preference = readPreference(call.header('prefer'));
      const id = playbookIdOf(call.param('playbookId'));
      const { bench } = call.composition;
      const trigger = triggerOf(call, await variablesOf(call));
      return answerOf(
        call,
        await triggerStored(bench, call.orchestrations, id, trigger),
        preference,
      );
    },
  },
];

/** An empty body, {} and null all mean: no variables. */
async function variablesOf(call: Call): Promise<JsonObject> {
  const body = (await call.json()) ?? {};
  if (!isJsonObject(body)) throw new Refusal('body-not-object');
  return body;
}

function triggerOf(call: Call, variables: JsonObject): Trigger {
  const key = call.header('idempotency-key')?.trim();
  if (key !== undefined && (key === '' || key.length > 200)) {
    throw new Refusal('header-invalid', 'Idempotency-Key', 'it takes 1 to 200 characters');
  }
  const caller = callerLabel(call.caller);
  return {
    variables,
    ...(caller === undefined ? {} : { caller }),
    // One caller's keys mean nothing to another.
    ...(key === undefined ? {} : { idempotencyKey: `${call.caller.id ?? ''} ${key}` }),
  };
}

async function answerOf(call: Call, started: Run, preference: Preference): Promise<Answer> {
  const { bench, config } = call.composition;
  const keep = config.execution.maxExecutions;
  await retain(bench, call.orchestrations, keep).catch((error: unknown) => {
    bench.log.warning('execution.retention-failed', { error });
  });
  const waitMs = shorter(preference.waitMs, config.http.triggerMaxWaitMs);
  const run = (await awaitEnd(bench, started.executionId, waitMs)) ?? started;
  const applied =
    preference.applied === undefined ? {} : { 'preference-applied': preference.applied };
  const body = toReferenceWire(run);
  if (run.status !== 'ongoing') return { status: 200, headers: applied, body };
  const location = `/reporter/${run.executionId}`;
  return { status: 202, headers: { location, ...applied }, body };
}

function shorter(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}
