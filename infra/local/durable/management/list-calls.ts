/** Calls on many instances: the filtered list and the bulk purge. */
import type { ManagementRequest, ManagementResponse } from '../durable-host.ts';
import type { DurableEngine } from '../engine/durable-engine.ts';
import type { InstanceStatus } from '../protocol/history-event.ts';
import { isFinal } from '../protocol/history-event.ts';
import type { Instance, InstanceFilter } from '../store/instance-table.ts';
import { instanceBody } from './instance-body.ts';
import { refused } from './reply.ts';

const allStatuses: readonly InstanceStatus[] = [
  'Pending',
  'Running',
  'Suspended',
  'Completed',
  'Failed',
  'Terminated',
];

/** Instances read or purged at a time, so that a large hub is never in memory as a whole. */
const purgeChunk = 200;

/** GET instances. Pages only when `top` asks for it; the next page starts at the token. */
export function listInstances(
  engine: DurableEngine,
  request: ManagementRequest,
): ManagementResponse {
  const { query } = request;
  const filter = parseFilter(request);
  if (filter === undefined) return refused(400, 'The filter is not valid.');
  const found = engine.store.instances.list(filter);
  const show = { showHistoryOutput: false, history: undefined };
  const showInput = query.get('showInput') !== 'false';
  const body = found.map((instance) => instanceBody(instance, { ...show, showInput }));
  const last = found.at(-1);
  if (last === undefined || found.length < filter.limit) return { status: 200, body };
  return { status: 200, headers: { 'x-ms-continuation-token': tokenOf(last) }, body };
}

/** DELETE instances: finished ones only, by time of creation. */
export function purgeInstances(
  engine: DurableEngine,
  request: ManagementRequest,
): ManagementResponse {
  const filter = request.query.has('createdTimeFrom') ? parseFilter(request) : undefined;
  if (filter === undefined) return refused(400, 'createdTimeFrom is required, as an ISO time.');
  const statuses = filter.statuses.filter(isFinal);
  let instancesDeleted = 0;
  for (;;) {
    const found = engine.store.instances.list({ ...filter, statuses, limit: purgeChunk });
    if (found.length === 0) break;
    engine.purge(found.map((instance) => instance.id));
    instancesDeleted += found.length;
  }
  if (instancesDeleted === 0) return refused(404, 'No finished instance matches.');
  return { status: 200, body: { instancesDeleted } };
}

function parseFilter({ query, continuationToken }: ManagementRequest): InstanceFilter | undefined {
  const createdFrom = parseTime(query.get('createdTimeFrom'), Number.MIN_SAFE_INTEGER);
  const createdTo = parseTime(query.get('createdTimeTo'), Number.MAX_SAFE_INTEGER);
  const limit = Number(query.get('top') ?? Number.MAX_SAFE_INTEGER);
  if (Number.isNaN(createdFrom) || Number.isNaN(createdTo)) return undefined;
  if (!Number.isSafeInteger(limit) || limit < 1) return undefined;
  const after = continuationToken ? parseToken(continuationToken) : beginning;
  if (after === undefined) return undefined;
  const idPrefix = query.get('instanceIdPrefix') ?? '';
  const statuses = parseStatuses(query.get('runtimeStatus'));
  return { statuses, createdFrom, createdTo, idPrefix, after, limit };
}

const beginning: InstanceFilter['after'] = { createdAt: Number.MIN_SAFE_INTEGER, id: '' };

function parseStatuses(list: string | null): readonly InstanceStatus[] {
  if (list === null || list === '') return allStatuses;
  const wanted = new Set(list.split(',').map((status) => status.trim().toLowerCase()));
  return allStatuses.filter((status) => wanted.has(status.toLowerCase()));
}

function parseTime(text: string | null, otherwise: number): number {
  return text === null || text === '' ? otherwise : Date.parse(text);
}

function tokenOf({ createdAt, id }: Instance): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
}

function parseToken(token: string): InstanceFilter['after'] | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(parsed)) return undefined;
    const [createdAt, id]: unknown[] = parsed;
    return typeof createdAt === 'number' && typeof id === 'string' ? { createdAt, id } : undefined;
  } catch {
    return undefined;
  }
}
