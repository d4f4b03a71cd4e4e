/** Puts a new instance into the store; its first episode starts from the message left in the inbox. */
import { randomUUID } from 'node:crypto';
import type { ExecutionStarted, ParentLink } from '../protocol/history-event.ts';
import { isFinal } from '../protocol/history-event.ts';
import type { DurableStore } from '../store/durable-store.ts';

export type NewInstance = {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  /** JSON text. */
  readonly input: string | null;
  readonly parent: ParentLink | null;
};

/**
 * Creates the instance, replacing a finished one of the same id. Returns false, and changes
 * nothing, while one of this id is active. Call inside a transaction.
 */
export function createInstance(store: DurableStore, start: NewInstance, at: number): boolean {
  const existing = store.instances.find(start.id);
  if (existing !== undefined && !isFinal(existing.status)) return false;
  store.clear(start.id);
  const executionId = randomUUID();
  store.instances.put({
    ...start,
    executionId,
    status: 'Pending',
    output: null,
    customStatus: null,
    createdAt: at,
    updatedAt: at,
  });
  const event: ExecutionStarted = startEvent(start, executionId, at);
  store.inbox.add(start.id, executionId, { event });
  return true;
}

/** The first event of a generation. */
export function startEvent(start: NewInstance, executionId: string, at: number): ExecutionStarted {
  const { id, name, version, input, parent } = start;
  return {
    kind: 'ExecutionStarted',
    at,
    name,
    version,
    input,
    instanceId: id,
    executionId,
    parent,
  };
}
