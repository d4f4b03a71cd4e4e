/** Calls that start instances: start, start and wait, restart. */
import { randomUUID } from 'node:crypto';
import type { ManagementRequest, ManagementResponse } from '../durable-host.ts';
import type { DurableEngine } from '../engine/durable-engine.ts';
import { isFinal } from '../protocol/history-event.ts';
import { refuseInstanceId } from '../protocol/instance-id.ts';
import { fromTextOrJson } from '../protocol/json-text.ts';
import { refuseSize } from '../protocol/size-limits.ts';
import { instanceBody } from './instance-body.ts';
import type { LinkBase } from './management-links.ts';
import { instanceLinks } from './management-links.ts';
import { refused, unknownInstance } from './reply.ts';

export type StartParts = {
  readonly engine: DurableEngine;
  readonly links: () => LinkBase;
  readonly defaultVersion: string | null;
};

/** POST orchestrators/{name}[/{id}] */
export async function startInstance(
  parts: StartParts,
  request: ManagementRequest,
  functionName: string,
  chosenId: string | undefined,
): Promise<ManagementResponse> {
  const { engine, links, defaultVersion } = parts;
  const name = engine.findOrchestrator(functionName);
  if (name === undefined) {
    return refused(400, `The app has no orchestrator '${functionName}'.`);
  }
  const id = chosenId ?? randomUUID().replaceAll('-', '');
  const badId = refuseInstanceId(id);
  if (badId !== undefined) return refused(400, badId);
  const input = jsonBody(request.body);
  if (input === undefined) return refused(400, 'The body is not JSON.');
  const badSize = refuseSize('The input', input);
  if (badSize !== undefined) return refused(413, badSize);
  const version = request.query.get('version') ?? defaultVersion;
  if (!engine.begin({ id, name, version, input, parent: null })) return activeAlready(id);
  const timeoutMs = Number(request.query.get('timeout') ?? 0) * 1000;
  if (timeoutMs > 0) await engine.whenEnded(id, timeoutMs);
  return (timeoutMs > 0 ? endedInstance(engine, id) : undefined) ?? accepted(links(), id);
}

/** POST instances/{id}/restart: the same function and input, under a new id unless told otherwise. */
export function restartInstance(
  parts: StartParts,
  request: ManagementRequest,
  id: string,
): ManagementResponse {
  const { engine, links } = parts;
  const instance = engine.store.instances.find(id);
  if (instance === undefined) return { ...unknownInstance(id), status: 400 };
  const keepsId = request.query.get('restartWithNewInstanceId') === 'false';
  const newId = keepsId ? id : randomUUID().replaceAll('-', '');
  const { name, version, input } = instance;
  const isNew = engine.begin({ id: newId, name, version, input, parent: null });
  return isNew ? accepted(links(), newId) : activeAlready(id);
}

function accepted(links: LinkBase, id: string): ManagementResponse {
  const body = instanceLinks(links, id);
  const headers = { location: body['statusQueryGetUri'] ?? '', 'retry-after': '10' };
  return { status: 202, headers, body };
}

function activeAlready(id: string): ManagementResponse {
  return refused(409, `Instance ${id} is active; terminate it or choose another id.`);
}

/** The answer of a start that waited: the output, or the status of an instance that ended badly. */
function endedInstance(engine: DurableEngine, id: string): ManagementResponse | undefined {
  const instance = engine.store.instances.find(id);
  if (instance === undefined || !isFinal(instance.status)) return undefined;
  if (instance.status === 'Completed') {
    return { status: 200, body: fromTextOrJson(instance.output) };
  }
  const show = { showInput: true, showHistoryOutput: false, history: undefined };
  return { status: instance.status === 'Failed' ? 500 : 200, body: instanceBody(instance, show) };
}

/** Normalised JSON text, null for no body, undefined for what is not JSON. */
function jsonBody(body: string): string | null | undefined {
  if (body.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(body);
    return value === null ? null : JSON.stringify(value);
  } catch {
    return undefined;
  }
}
