/** Calls on one existing instance: status, events, terminate, suspend, resume, purge. */
import type { ManagementRequest, ManagementResponse } from '../durable-host.ts';
import type { DurableEngine } from '../engine/durable-engine.ts';
import type { ControlEvent } from '../protocol/history-event.ts';
import { isFinal } from '../protocol/history-event.ts';
import { refuseSize } from '../protocol/size-limits.ts';
import { instanceBody } from './instance-body.ts';
import type { LinkBase } from './management-links.ts';
import { instanceLinks } from './management-links.ts';
import { refused, unknownInstance } from './reply.ts';

const gone: ManagementResponse = { status: 410 };
const accepted: ManagementResponse = { status: 202 };

/** GET instances/{id} */
export function showInstance(
  engine: DurableEngine,
  links: LinkBase,
  request: ManagementRequest,
  id: string,
): ManagementResponse {
  const instance = engine.store.instances.find(id);
  if (instance === undefined) return unknownInstance(id);
  const { query } = request;
  const body = instanceBody(instance, {
    showInput: query.get('showInput') !== 'false',
    showHistoryOutput: query.get('showHistoryOutput') === 'true',
    history: query.get('showHistory') === 'true' ? engine.store.history.load(id).events : undefined,
  });
  if (!isFinal(instance.status)) {
    const location = instanceLinks(links, id)['statusQueryGetUri'] ?? '';
    return { status: 202, headers: { location, 'retry-after': '5' }, body };
  }
  const failsLoudly = query.get('returnInternalServerErrorOnFailure') === 'true';
  return { status: instance.status === 'Failed' && failsLoudly ? 500 : 200, body };
}

/** DELETE instances/{id} */
export function purgeInstance(engine: DurableEngine, id: string): ManagementResponse {
  if (engine.store.instances.find(id) === undefined) return unknownInstance(id);
  engine.purge([id]);
  return { status: 200, body: { instancesDeleted: 1 } };
}

/** POST instances/{id}/raiseEvent/{name} */
export function raiseEvent(
  engine: DurableEngine,
  request: ManagementRequest,
  id: string,
  name: string,
  now: number,
): ManagementResponse {
  if (!/^application\/json\b/i.test(request.contentType ?? '')) {
    return refused(400, 'An event is sent as application/json.');
  }
  const input = eventInput(request.body);
  if (input === undefined) return refused(400, 'The event data is not JSON.');
  const badSize = refuseSize('The event data', input);
  if (badSize !== undefined) return refused(413, badSize);
  return whileActive(engine, id, () =>
    engine.tell(id, { kind: 'EventRaised', at: now, name, input }),
  );
}

/** POST instances/{id}/terminate, suspend, resume */
export function controlInstance(
  engine: DurableEngine,
  request: ManagementRequest,
  id: string,
  kind: ControlEvent['kind'],
  now: number,
): ManagementResponse {
  const reason = request.query.get('reason') ?? '';
  return whileActive(engine, id, () => engine.tell(id, { kind, at: now, reason }));
}

function whileActive(engine: DurableEngine, id: string, act: () => void): ManagementResponse {
  const instance = engine.store.instances.find(id);
  if (instance === undefined) return unknownInstance(id);
  if (isFinal(instance.status)) return gone;
  act();
  return accepted;
}

function eventInput(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}
