/** The durable management API: which call is meant. Authorisation is the host's business. */
import type { ManagementRequest, ManagementResponse } from '../durable-host.ts';
import type { ControlEvent } from '../protocol/history-event.ts';
import { controlInstance, purgeInstance, raiseEvent, showInstance } from './instance-calls.ts';
import { listInstances, purgeInstances } from './list-calls.ts';
import { refused, unknownCall } from './reply.ts';
import type { StartParts } from './start-calls.ts';
import { restartInstance, startInstance } from './start-calls.ts';

export type ManagementParts = StartParts & { readonly now: () => number };

const controls: ReadonlyMap<string, ControlEvent['kind']> = new Map([
  ['terminate', 'ExecutionTerminated'],
  ['suspend', 'ExecutionSuspended'],
  ['resume', 'ExecutionResumed'],
]);

export async function serveManagement(
  parts: ManagementParts,
  request: ManagementRequest,
): Promise<ManagementResponse> {
  const segments = pathSegments(request.path);
  if (segments === undefined) return refused(400, 'The path is not valid.');
  const [collection, first, ...rest] = segments;
  const method = request.method.toUpperCase();
  if (collection === 'orchestrators' && method === 'POST' && first !== undefined) {
    const [id, ...tooMany] = rest;
    return tooMany.length === 0 ? startInstance(parts, request, first, id) : unknownCall();
  }
  if (collection === 'entities') return refused(501, 'Entities are not supported locally.');
  if (collection !== 'instances') return unknownCall();
  if (first === undefined) return onMany(parts, request, method);
  return onOne(parts, request, method, first, rest);
}

function onMany(
  { engine }: ManagementParts,
  request: ManagementRequest,
  method: string,
): ManagementResponse {
  if (method === 'GET') return listInstances(engine, request);
  if (method === 'DELETE') return purgeInstances(engine, request);
  return unknownCall();
}

function onOne(
  parts: ManagementParts,
  request: ManagementRequest,
  method: string,
  id: string,
  rest: readonly string[],
): ManagementResponse {
  const { engine, links, now } = parts;
  const [call, eventName, ...tooMany] = rest;
  if (tooMany.length > 0) return unknownCall();
  if (call === undefined && method === 'GET') return showInstance(engine, links(), request, id);
  if (call === undefined && method === 'DELETE') return purgeInstance(engine, id);
  if (call === undefined || method !== 'POST') return unknownCall();
  if (call.toLowerCase() === 'raiseevent' && eventName !== undefined) {
    return raiseEvent(engine, request, id, eventName, now());
  }
  if (eventName !== undefined) return unknownCall();
  const control = controls.get(call.toLowerCase());
  if (control !== undefined) return controlInstance(engine, request, id, control, now());
  if (call.toLowerCase() === 'restart') return restartInstance(parts, request, id);
  if (call.toLowerCase() === 'rewind') return refused(501, 'Rewind is not supported locally.');
  return unknownCall();
}

/** Decoded, without empty ones at the ends; undefined when the encoding is broken. */
function pathSegments(path: string): readonly string[] | undefined {
  try {
    return path
      .replace(/^\/+|\/+$/g, '')
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
