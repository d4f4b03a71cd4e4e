/** /step: the catalogue of what action steps can be made of (spec, Step catalogue). */

import { Type } from 'typebox';
import { stepCatalogue } from '../../../core/execution/operations/step-catalogue.ts';
import type { Route } from '../route.ts';

const entrySchema = Type.Object(
  { module: Type.String(), category: Type.String(), context: Type.String() },
  {
    title: 'StepCatalogueEntry',
    description: 'Beside these, one example step under its step id.',
    additionalProperties: true,
  },
);

export const stepRoutes: readonly Route[] = [
  {
    name: 'step-catalogue',
    method: 'GET',
    path: 'step',
    needs: 'playbook:read',
    tag: 'step',
    summary: 'One example step for every capability',
    answers: {
      200: {
        description: 'The catalogue',
        schema: Type.Object({ steps: Type.Array(entrySchema) }),
      },
    },
    handle: async ({ composition }) => {
      const own = stepCatalogue(composition.bench.capabilities.names);
      const ofFins = (await composition.fins?.catalogue()) ?? [];
      return { status: 200, body: { steps: [...own, ...ofFins] } };
    },
  },
];
