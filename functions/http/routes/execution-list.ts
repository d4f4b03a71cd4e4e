/** GET /execution: searching executions. */

import { Type } from 'typebox';
import { parsePlaybookId } from '../../../core/cacao/ids.ts';
import { Refusal } from '../../../core/errors/refusal.ts';
import { type Run, type Status, statuses } from '../../../core/execution/run.ts';
import type { RunFilter } from '../../../core/ports/run-store.ts';
import type { Parameter, Route } from '../route.ts';
import { executionItemSchema, toItemWire } from '../wire/execution-item.ts';
import { statusSchema } from '../wire/execution-reference.ts';

const LONGEST_PAGE = 1000;
const USUAL_PAGE = 100;

const parameters: readonly Parameter[] = [
  { in: 'query', name: 'status', description: 'Only with this status', schema: statusSchema },
  { in: 'query', name: 'playbook_id', description: 'Only of this playbook', schema: Type.String() },
  { in: 'query', name: 'name', description: 'Only with this in their name', schema: Type.String() },
  {
    in: 'query',
    name: 'since',
    description: 'Only started at or after this time (RFC 3339)',
    schema: Type.String({ format: 'date-time' }),
  },
  {
    in: 'query',
    name: 'limit',
    description: `At most so many, ${USUAL_PAGE} if not given`,
    schema: Type.Integer({ minimum: 1, maximum: LONGEST_PAGE }),
  },
];

export const executionListRoutes: readonly Route[] = [
  {
    name: 'execution-list',
    method: 'GET',
    path: 'execution',
    needs: 'playbook:read',
    tag: 'execution',
    summary: 'Search executions, newest first',
    parameters,
    answers: { 200: { description: 'What was found', schema: Type.Array(executionItemSchema) } },
    refusals: ['query-invalid'],
    handle: async ({ composition, query }) => {
      const { filter, matches, limit } = readQuery(query);
      if (filter === undefined) return { status: 200, body: [] };
      const runs = await composition.stores.runs.list(filter);
      return { status: 200, body: runs.filter(matches).slice(0, limit).map(toItemWire) };
    },
  },
];

type Search = {
  /** Undefined when nothing can match. */
  readonly filter: RunFilter | undefined;
  readonly matches: (run: Run) => boolean;
  readonly limit: number;
};

function readQuery(query: URLSearchParams): Search {
  const status = readStatus(query.get('status'));
  const sinceMs = readTime(query.get('since'));
  const name = query.get('name')?.toLowerCase() ?? '';
  const playbook = query.get('playbook_id');
  const playbookId = playbook === null ? undefined : parsePlaybookId(playbook);
  const isHopeless = playbook !== null && playbookId === undefined;
  const filter: RunFilter = {
    order: 'newest-first',
    ...(status === undefined ? {} : { finished: status !== 'ongoing' }),
    ...(playbookId === undefined ? {} : { playbookId }),
  };
  return {
    filter: isHopeless ? undefined : filter,
    limit: readLimit(query.get('limit')),
    matches: (run) =>
      (status === undefined || run.status === status) &&
      run.startedMs >= sinceMs &&
      run.name.toLowerCase().includes(name),
  };
}

function readStatus(text: string | null): Status | undefined {
  if (text === null) return undefined;
  const status = statuses.find((known) => known === text);
  if (status === undefined) {
    throw new Refusal('query-invalid', 'status', `it is one of ${statuses.join(', ')}`);
  }
  return status;
}

function readTime(text: string | null): number {
  if (text === null) return Number.NEGATIVE_INFINITY;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Refusal('query-invalid', 'since', 'it is a timestamp');
  return ms;
}

function readLimit(text: string | null): number {
  if (text === null) return USUAL_PAGE;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > LONGEST_PAGE) {
    throw new Refusal('query-invalid', 'limit', `it is a number from 1 to ${LONGEST_PAGE}`);
  }
  return limit;
}
