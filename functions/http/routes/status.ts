/** /status: is the service well, what does it run. */

import { Type } from 'typebox';
import { parsePlaybookId } from '../../../core/cacao/ids.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import type { Composition } from '../../composition.ts';
import type { Route } from '../route.ts';
import { executionItemSchema, toItemWire } from '../wire/execution-item.ts';
import { toTimestamp } from '../wire/timestamp.ts';
import { playbookIdParameter } from './parameters.ts';

const tag = 'status';

const serviceStatusSchema = Type.Object(
  {
    version: Type.String(),
    runtime: Type.Union(
      ['docker', 'windows', 'linux', 'macos', 'other'].map((runtime) => Type.Literal(runtime)),
    ),
    mode: Type.Union([Type.Literal('development'), Type.Literal('production')]),
    time: Type.String(),
    uptime: Type.Object({
      since: Type.String(),
      milis: Type.Number(),
    }),
  },
  { title: 'ServiceStatus' },
);

const finSchema = Type.Object(
  { name: Type.String(), status: Type.String(), id: Type.String(), version: Type.String() },
  { title: 'FinStatus' },
);
const finsSchema = Type.Object({ fins: Type.Array(finSchema) });
const reportersSchema = Type.Object({
  reporters: Type.Array(Type.Object({ name: Type.String() })),
});

const executionItems = {
  200: { description: 'The executions', schema: Type.Array(executionItemSchema) },
};

export const statusRoutes: readonly Route[] = [
  {
    name: 'status',
    method: 'GET',
    path: 'status',
    needs: 'any-role',
    tag,
    summary: 'Version, runtime and uptime of the service',
    answers: { 200: { description: 'The status', schema: serviceStatusSchema } },
    handle: async ({ composition }) => ({ status: 200, body: serviceStatus(composition) }),
  },
  {
    name: 'status-ping',
    method: 'GET',
    path: 'status/ping',
    needs: 'any-role',
    tag,
    summary: 'Whether all parts of the service are ready',
    answers: { 200: { description: 'pong', contentType: 'text/plain' } },
    refusals: ['not-ready'],
    handle: async ({ composition }) => {
      const away = await composition.firstPartAway();
      if (away !== undefined) throw new Refusal('not-ready', away.name).with({}, away.cause);
      return { status: 200, headers: { 'content-type': 'text/plain' }, text: 'pong' };
    },
  },
  {
    name: 'status-fins',
    method: 'GET',
    path: 'status/fins',
    needs: 'playbook:read',
    tag,
    summary: 'The registered fins',
    answers: { 200: { description: 'The fins', schema: finsSchema } },
    handle: async ({ composition }) => {
      const fins = (await composition.fins?.status()) ?? [];
      return { status: 200, body: { fins } };
    },
  },
  {
    name: 'status-reporters',
    method: 'GET',
    path: 'status/reporters',
    needs: 'playbook:read',
    tag,
    summary: 'The downstream reporters in use',
    answers: { 200: { description: 'The reporters', schema: reportersSchema } },
    handle: async ({ composition }) => {
      const reporters = composition.reporterNames.map((name) => ({ name }));
      return { status: 200, body: { reporters } };
    },
  },
  {
    name: 'status-history',
    method: 'GET',
    path: 'status/history',
    needs: 'playbook:read',
    tag,
    summary: 'Finished executions, newest first',
    answers: executionItems,
    handle: async ({ composition }) => {
      const runs = await composition.stores.runs.list({ finished: true, order: 'newest-first' });
      return { status: 200, body: runs.map(toItemWire) };
    },
  },
  {
    name: 'status-playbook',
    method: 'GET',
    path: 'status/playbook',
    needs: 'playbook:read',
    tag,
    summary: 'Executions going on, newest first',
    answers: executionItems,
    handle: async ({ composition }) => {
      const runs = await composition.stores.runs.list({ finished: false, order: 'newest-first' });
      return { status: 200, body: runs.map(toItemWire) };
    },
  },
  {
    name: 'status-playbook-executions',
    method: 'GET',
    path: 'status/playbook/{playbookId}',
    needs: 'playbook:read',
    tag,
    summary: 'Executions of one playbook, newest first',
    parameters: [playbookIdParameter],
    answers: executionItems,
    handle: async ({ composition, param }) => {
      const playbookId = parsePlaybookId(param('playbookId'));
      if (playbookId === undefined) return { status: 200, body: [] };
      const runs = await composition.stores.runs.list({ playbookId, order: 'newest-first' });
      return { status: 200, body: runs.map(toItemWire) };
    },
  },
];

function serviceStatus({ service, bench, config }: Composition) {
  const nowMs = bench.clock.now();
  const milis = nowMs - service.startedMs;
  return {
    version: service.version,
    runtime: service.runtime,
    mode: config.log.mode,
    time: toTimestamp(nowMs),
    uptime: { since: toTimestamp(service.startedMs), milis },
  };
}
