/** What is wrong with a playbook: one that is submitted, and one that is stored. */

import { Type } from 'typebox';
import { cacaoComponents } from '../../../core/cacao/schema/components.ts';
import { isDraft, unboundParts } from '../../../core/cacao/validation/unbound.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import type { Checked } from '../../../core/execution/playbook-check.ts';
import { requireObject } from '../read-json.ts';
import type { Route } from '../route.ts';
import { findingSchema } from '../wire/error.ts';
import { playbookIdParameter } from './parameters.ts';
import { playbookIdOf } from './playbooks.ts';

const verdictSchema = Type.Object(
  {
    valid: Type.Boolean(),
    findings: Type.Array(findingSchema),
    draft: Type.Optional(
      Type.Literal(true, {
        description:
          'It is not valid, but only because of what is to be bound: it can be stored leniently.',
      }),
    ),
    bind: Type.Optional(
      Type.Array(findingSchema, {
        description: 'Of a draft: those of the findings that say what a site has to fill in.',
      }),
    ),
  },
  { title: 'ValidationVerdict' },
);

const answers = { 200: { description: 'All findings, in document order', schema: verdictSchema } };

export const validationRoutes: readonly Route[] = [
  {
    name: 'validation',
    method: 'POST',
    path: 'validation',
    needs: 'playbook:read',
    tag: 'playbook',
    summary: 'Check a playbook without storing it; errors refuse a playbook, warnings do not',
    body: { schema: cacaoComponents.Playbook, required: true },
    answers,
    refusals: ['body-too-large'],
    handle: async ({ composition, json }) => {
      return { status: 200, body: verdictOf(composition.bench.check(requireObject(await json()))) };
    },
  },
  {
    name: 'playbook-validation',
    method: 'GET',
    path: 'playbook/{playbookId}/validation',
    needs: 'playbook:read',
    tag: 'playbook',
    summary: 'Check a stored playbook; for a draft, what is to be bound before it can be executed',
    parameters: [playbookIdParameter],
    answers,
    refusals: ['playbook-missing'],
    handle: async ({ composition, param }) => {
      const id = playbookIdOf(param('playbookId'));
      const document = await composition.stores.playbooks.get(id);
      if (document === undefined) throw new Refusal('playbook-missing', id);
      return { status: 200, body: verdictOf(composition.bench.check(document)) };
    },
  },
];

function verdictOf({ ok: valid, findings }: Checked) {
  if (!isDraft(findings)) return { valid, findings };
  return { valid, findings, draft: true, bind: unboundParts(findings) };
}
