/** /execution: steering executions. Extensions of the contract; they change none of its endpoints. */

import { Type } from 'typebox';
import { callerLabel } from '../../../core/access/caller-label.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import { controlRun } from '../../../core/execution/operations/control-run.ts';
import { rerunFrom } from '../../../core/execution/operations/rerun.ts';
import type { Control } from '../../../core/execution/run.ts';
import { requireObject } from '../read-json.ts';
import type { Route } from '../route.ts';
import { executionReferenceSchema, toReferenceWire } from '../wire/execution-reference.ts';
import { executionIdParameter } from './parameters.ts';
import { executionIdOf } from './reporter.ts';

const rerunRoute: Route = {
  name: 'execution-rerun',
  method: 'POST',
  path: 'execution/{executionId}/rerun',
  needs: 'playbook:execute',
  tag: 'execution',
  summary: 'Begin an ended execution again at one of its steps, as a new execution',
  parameters: [executionIdParameter],
  body: {
    schema: Type.Object({ step_id: Type.String() }, { title: 'RerunRequest' }),
    required: true,
  },
  answers: {
    202: { description: 'The new execution goes on', schema: executionReferenceSchema },
  },
  refusals: [
    'execution-id-malformed',
    'execution-missing',
    'execution-unfinished',
    'step-missing',
    'step-unreachable',
  ],
  durable: true,
  handle: async ({ composition, orchestrations, caller, param, json }) => {
    const id = executionIdOf(param('executionId'));
    const { step_id: step } = requireObject(await json());
    if (typeof step !== 'string') throw new Refusal('body-invalid', 'step_id is not a text');
    const who = callerLabel(caller);
    const run = await rerunFrom(composition.bench, orchestrations, id, step, who);
    const location = `/reporter/${run.executionId}`;
    return { status: 202, headers: { location }, body: toReferenceWire(run) };
  },
};

export const executionRoutes: readonly Route[] = [
  controlRoute('cancel', 'cancel', 'Cancel an execution: commands in flight are aborted'),
  controlRoute('pause', 'pause', 'Pause an execution: no further step begins'),
  controlRoute('resume', 'go', 'Resume a paused execution'),
  rerunRoute,
];

function controlRoute(verb: string, control: Control, summary: string): Route {
  return {
    name: `execution-${verb}`,
    method: 'POST',
    path: `execution/{executionId}/${verb}`,
    needs: 'playbook:execute',
    tag: 'execution',
    summary,
    parameters: [executionIdParameter],
    answers: {
      202: { description: 'It will be obeyed at the next turn', schema: executionReferenceSchema },
    },
    refusals: ['execution-id-malformed', 'execution-missing', 'execution-finished'],
    durable: true,
    handle: async ({ composition, orchestrations, caller, param }) => {
      const { bench, stores } = composition;
      const id = executionIdOf(param('executionId'));
      await controlRun(bench, orchestrations, id, control, callerLabel(caller));
      const run = await stores.runs.get(id);
      if (run === undefined) throw new Refusal('execution-missing', id);
      const location = `/reporter/${id}`;
      return { status: 202, headers: { location }, body: toReferenceWire(run) };
    },
  };
}
