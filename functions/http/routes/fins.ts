/** /status/fins: giving orders to fins, and purging them. */

import { Type } from 'typebox';
import { callerLabel } from '../../../core/access/caller-label.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import { type FinOrder, finOrders } from '../../../core/fins/message.ts';
import type { Call, Parameter, Route } from '../route.ts';

const tag = 'status';

const finIdParameter: Parameter = {
  in: 'path',
  name: 'finId',
  description: 'Id of a fin, as it registered',
  schema: Type.String(),
};

const orderParameter: Parameter = {
  in: 'path',
  name: 'order',
  description: 'What to tell all capabilities of the fin; progress only asks',
  schema: Type.Union(finOrders.map((order) => Type.Literal(order))),
};

const answersSchema = Type.Object(
  {
    capabilities: Type.Array(
      Type.Object({
        capability_id: Type.String(),
        answer: Type.Union(
          ['acknowledged', 'refused', 'silent'].map((answer) => Type.Literal(answer)),
        ),
        progress: Type.Optional(Type.String()),
      }),
    ),
  },
  { title: 'FinOrderAnswers' },
);

const purgedSchema = Type.Object({ purged: Type.Integer() }, { title: 'FinsPurged' });

export const finRoutes: readonly Route[] = [
  {
    name: 'status-fins-purge-all',
    method: 'DELETE',
    path: 'status/fins',
    needs: 'admin',
    tag,
    summary: 'Tell all fins to stop, and forget them',
    answers: { 200: { description: 'How many were forgotten', schema: purgedSchema } },
    handle: async ({ composition, caller }) => {
      const purged = await composition.fins?.purgeAll(callerLabel(caller));
      return { status: 200, body: { purged: purged ?? 0 } };
    },
  },
  {
    name: 'status-fins-purge',
    method: 'DELETE',
    path: 'status/fins/{finId}',
    needs: 'admin',
    tag,
    summary: 'Tell a fin to stop, and forget it whatever it answers',
    parameters: [finIdParameter],
    answers: { 200: { description: 'It is forgotten', schema: purgedSchema } },
    refusals: ['fin-missing'],
    handle: async ({ composition, caller, param }) => {
      const id = param('finId');
      const isPurged = await composition.fins?.purge(id, callerLabel(caller));
      if (!isPurged) throw new Refusal('fin-missing', id);
      return { status: 200, body: { purged: 1 } };
    },
  },
  {
    name: 'status-fins-order',
    method: 'POST',
    path: 'status/fins/{finId}/{order}',
    needs: 'admin',
    tag,
    summary: 'Pause, resume or stop a fin, or ask how it is doing',
    parameters: [finIdParameter, orderParameter],
    answers: { 200: { description: 'What its capabilities answered', schema: answersSchema } },
    refusals: ['fin-missing', 'path-unknown', 'broker-away'],
    handle: async (call) => {
      const id = call.param('finId');
      const order = orderOf(call);
      const answers = await call.composition.fins?.order(id, order);
      if (answers === undefined) throw new Refusal('fin-missing', id);
      const caller = callerLabel(call.caller);
      call.composition.securityLog.record('fin_ordered', { fin: id, order, caller });
      const capabilities = answers.map(({ capability, ...answer }) => ({
        capability_id: capability,
        ...answer,
      }));
      return { status: 200, body: { capabilities } };
    },
  },
];

function orderOf({ param }: Call): FinOrder {
  const order = finOrders.find((one) => one === param('order'));
  if (order !== undefined) return order;
  throw new Refusal('path-unknown', `/status/fins/${param('finId')}/${param('order')}`);
}
