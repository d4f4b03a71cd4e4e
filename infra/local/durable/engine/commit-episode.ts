/**
 * Writes one episode as one transaction: the messages it consumed, the history it made, the work,
 * timers and children it asked for, and the state of the instance. Nothing is dispatched here;
 * the caller does that with what is returned, after the commit.
 */
import { randomUUID } from 'node:crypto';
import type { HistoryEvent, InboundEvent } from '../protocol/history-event.ts';
import { isFinal } from '../protocol/history-event.ts';
import type { DurableStore } from '../store/durable-store.ts';
import type { Instance } from '../store/instance-table.ts';
import type { WorkItem } from '../store/work-table.ts';
import { createInstance, startEvent } from './create-instance.ts';
import type { Messages } from './episode-batch.ts';
import type { Continued, Decision, Ended, GoesOn } from './episode-decision.ts';
import type { Run } from './run.ts';

export type Committed = {
  /** The instance as it is now; without history when it ended. */
  readonly run: Run;
  readonly work: readonly { readonly item: WorkItem; readonly inputText: string }[];
  /** Children that were started, perhaps in the place of finished instances of their id. */
  readonly started: readonly string[];
  /** The parent, if it got a message. */
  readonly told: readonly string[];
  /** Children that were not started because an instance of their id is active. */
  readonly refused: readonly string[];
};

export type Episode = {
  readonly run: Run;
  readonly messages: Messages;
  readonly batch: readonly HistoryEvent[];
  readonly decision: Decision;
  readonly now: number;
};

export function commitEpisode(store: DurableStore, episode: Episode): Committed {
  const { run, messages, batch, decision, now } = episode;
  return store.transaction(() => {
    consume(store, run.instance.id, messages);
    switch (decision.kind) {
      case 'goesOn':
        return commitProgress(store, run, batch, decision, now);
      case 'continued':
        return commitNextGeneration(store, run, decision, now);
      case 'ended':
        return commitEnd(store, run, batch, decision, now);
    }
  });
}

/** Removes messages, and the work items whose completions they are. Call inside a transaction. */
export function consume(store: DurableStore, instanceId: string, messages: Messages): void {
  for (const entry of messages.inbox) store.inbox.remove(instanceId, entry.number);
  for (const completion of messages.completions) store.work.remove(completion.workNumber);
}

function commitProgress(
  store: DurableStore,
  run: Run,
  batch: readonly HistoryEvent[],
  decision: GoesOn,
  now: number,
): Committed {
  const { id, executionId, name } = run.instance;
  const at = batch[0]?.at ?? now;
  const written = [...batch, ...decision.scheduled, { kind: 'OrchestratorCompleted', at } as const];
  const size = run.size + store.history.append(id, run.episodes, written);
  const work = decision.work.map(({ taskId, name, inputText }) => ({
    item: store.work.add({ instanceId: id, executionId, taskId, name }, inputText),
    inputText,
  }));
  const timers = new Set(run.timers);
  for (const taskId of decision.droppedTimers) {
    store.timers.remove(id, taskId);
    timers.delete(taskId);
  }
  for (const { taskId, fireAt } of decision.timers) {
    store.timers.add({ instanceId: id, executionId, taskId, fireAt });
    timers.add(taskId);
  }
  const started: string[] = [];
  const refused: string[] = [];
  for (const { taskId, instanceId, ...child } of decision.children) {
    const parent = { instanceId: id, executionId, taskId, name };
    const isNew = createInstance(store, { ...child, id: instanceId, parent }, now);
    (isNew ? started : refused).push(instanceId);
  }
  const { status, customStatus } = decision;
  const instance = updated(store, run.instance, { status, customStatus, output: null }, now);
  const events = [...run.events, ...written];
  return {
    run: { instance, events, episodes: run.episodes + 1, size, timers },
    work,
    started,
    told: [],
    refused,
  };
}

/** A new generation: another execution id, no history, no timers; same instance, parent, version. */
function commitNextGeneration(
  store: DurableStore,
  run: Run,
  decision: Continued,
  now: number,
): Committed {
  const { input, customStatus, carried } = decision;
  const executionId = randomUUID();
  const instance: Instance = {
    ...run.instance,
    executionId,
    input,
    customStatus,
    status: 'Running',
    updatedAt: now,
  };
  store.history.delete(instance.id);
  if (run.timers.size > 0) store.timers.delete(instance.id);
  store.instances.put(instance);
  store.inbox.add(instance.id, executionId, {
    event: startEvent(instance, executionId, now),
    carried,
  });
  const next = { instance, events: [], episodes: 0, size: 0, timers: new Set<number>() };
  return { run: next, work: [], started: [], told: [], refused: [] };
}

function commitEnd(
  store: DurableStore,
  run: Run,
  batch: readonly HistoryEvent[],
  decision: Ended,
  now: number,
): Committed {
  const { id, parent } = run.instance;
  const { status, output, customStatus, scheduled } = decision;
  const at = batch[0]?.at ?? now;
  store.history.append(id, run.episodes, [
    ...batch,
    ...scheduled,
    { kind: 'ExecutionCompleted', at, status, result: output },
    { kind: 'OrchestratorCompleted', at },
  ]);
  // Activities that run on have nobody to report to; those not started yet are not started.
  store.work.delete(id);
  store.timers.delete(id);
  store.inbox.delete(id);
  const instance = updated(store, run.instance, { status, customStatus, output }, now);
  const isTold = parent !== null && tellParent(store, run.instance, decision, at);
  const ended = { ...run, instance, events: [], size: 0, timers: new Set<number>() };
  return {
    run: ended,
    work: [],
    started: [],
    told: isTold ? [parent.instanceId] : [],
    refused: [],
  };
}

function tellParent(store: DurableStore, child: Instance, end: Ended, at: number): boolean {
  if (child.parent === null) return false;
  const { instanceId, executionId, taskId } = child.parent;
  const parent = store.instances.find(instanceId);
  if (parent === undefined || parent.executionId !== executionId || isFinal(parent.status)) {
    return false;
  }
  store.inbox.add(instanceId, executionId, { event: childEnd(end, taskId, at) });
  return true;
}

function childEnd(end: Ended, taskId: number, at: number): InboundEvent {
  if (end.status === 'Completed') {
    return { kind: 'SubOrchestrationInstanceCompleted', at, taskId, result: end.output };
  }
  const reason = end.output ?? '';
  // A terminated child has no details, which the SDK cannot read: the parent fails, as on Azure.
  const details = end.status === 'Failed' ? `Message: ${reason}` : null;
  return { kind: 'SubOrchestrationInstanceFailed', at, taskId, reason, details };
}

/** Times are shown in whole seconds, so an update that changes nothing else waits for the next. */
function updated(
  store: DurableStore,
  before: Instance,
  change: Pick<Instance, 'status' | 'customStatus' | 'output'>,
  now: number,
): Instance {
  const isSame =
    before.status === change.status &&
    before.customStatus === change.customStatus &&
    Math.floor(before.updatedAt / 1000) === Math.floor(now / 1000);
  if (isSame) return before;
  const instance = { ...before, ...change, updatedAt: now };
  store.instances.update(instance);
  return instance;
}
