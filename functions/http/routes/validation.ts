/** /validation: what is wrong with a playbook, without storing it. */

import { Type } from 'typebox';
import { cacaoComponents } from '../../../core/cacao/schema/components.ts';
import { requireObject } from '../read-json.ts';
import type { Route } from '../route.ts';
import { findingSchema } from '../wire/error.ts';

const verdictSchema = Type.Object(
  { valid: Type.Boolean(), findings: Type.Array(findingSchema) },
  { title: 'ValidationVerdict' },
);

export const validationRoutes: readonly Route[] = [
  {
    name: 'validation',
    method: 'POST',
    path: 'validation',
    needs: 'playbook:read',
    tag: 'playbook',
    summary: 'Check a playbook without storing it; errors refuse a playbook, warnings do not',
    body: { schema: cacaoComponents.Playbook, required: true },
    answers: { 200: { description: 'All findings, in document order', schema: verdictSchema } },
    refusals: ['body-too-large'],
    handle: async ({ composition, json }) => {
      const checked = composition.bench.check(requireObject(await json()));
      return { status: 200, body: { valid: checked.ok, findings: checked.findings } };
    },
  },
];
