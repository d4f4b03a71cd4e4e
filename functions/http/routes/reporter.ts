/** /reporter: execution reports. */

import { Type } from 'typebox';
import { Refusal } from '../../../core/errors/refusal.ts';
import { type ExecutionId, parseExecutionId } from '../../../core/execution/ids.ts';
import { allReports, reportOf } from '../../../core/execution/operations/report.ts';
import type { Route } from '../route.ts';
import { reportSchema, toReportWire } from '../wire/report.ts';
import { executionIdParameter } from './parameters.ts';

const tag = 'reporter';

export const reporterRoutes: readonly Route[] = [
  {
    name: 'reporter-list',
    method: 'GET',
    path: 'reporter',
    needs: 'playbook:read',
    tag,
    summary: 'The reports of all executions kept, oldest first',
    answers: { 200: { description: 'The reports', schema: Type.Array(reportSchema) } },
    handle: async ({ composition }) => {
      const reports = await allReports(composition.stores);
      return { status: 200, body: reports.map(toReportWire) };
    },
  },
  {
    name: 'reporter-read',
    method: 'GET',
    path: 'reporter/{executionId}',
    needs: 'playbook:read',
    tag,
    summary: 'The report of one execution',
    parameters: [executionIdParameter],
    answers: {
      200: { description: 'The execution has ended', schema: reportSchema },
      206: { description: 'The execution goes on', schema: reportSchema },
    },
    refusals: ['execution-id-malformed', 'execution-missing'],
    handle: async ({ composition, param }) => {
      const id = executionIdOf(param('executionId'));
      const report = await reportOf(composition.stores, id);
      if (report === undefined) throw new Refusal('execution-missing', id);
      const status = report.run.status === 'ongoing' ? 206 : 200;
      return { status, body: toReportWire(report) };
    },
  },
];

export function executionIdOf(text: string): ExecutionId {
  const id = parseExecutionId(text);
  if (id === undefined) throw new Refusal('execution-id-malformed', text);
  return id;
}
