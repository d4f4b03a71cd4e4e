/**
 * History events as the SDK and the management API know them: numbered types, capitalised names.
 * Every call makes new objects, because the SDK rewrites the ones it is given.
 */
import type { ExecutionStarted, HistoryEvent, ScheduledEvent } from './history-event.ts';

/** Numbers of the Durable Task history protocol. */
const eventTypes = {
  ExecutionStarted: 0,
  ExecutionCompleted: 1,
  ExecutionTerminated: 3,
  TaskScheduled: 4,
  TaskCompleted: 5,
  TaskFailed: 6,
  SubOrchestrationInstanceCreated: 7,
  SubOrchestrationInstanceCompleted: 8,
  SubOrchestrationInstanceFailed: 9,
  TimerCreated: 10,
  TimerFired: 11,
  OrchestratorStarted: 12,
  OrchestratorCompleted: 13,
  EventRaised: 15,
  ExecutionSuspended: 19,
  ExecutionResumed: 20,
} as const satisfies Record<HistoryEvent['kind'], number>;

export type WireEvent = Record<string, unknown>;

/** One event for the SDK. `live` hands over a Date, which is what the SDK would make of the text. */
export function toWireEvent(event: HistoryEvent, isPlayed: boolean, live: boolean): WireEvent {
  const time = new Date(event.at);
  return {
    EventType: eventTypes[event.kind],
    EventId: isScheduled(event) ? event.taskId : -1,
    IsPlayed: isPlayed,
    Timestamp: live ? time : time.toISOString(),
    ...ownFields(event),
  };
}

/** One event for people and tools; results and inputs only when asked for. */
export function toShownEvent(event: HistoryEvent, withData: boolean): WireEvent {
  const { Result, Input, ...shown } = ownFields(event);
  const data = { ...(Result !== undefined && { Result }), ...(Input !== undefined && { Input }) };
  const Timestamp = new Date(event.at).toISOString();
  return { EventType: event.kind, Timestamp, ...shown, ...(withData && data) };
}

function isScheduled(event: HistoryEvent): event is ScheduledEvent {
  return (
    event.kind === 'TaskScheduled' ||
    event.kind === 'TimerCreated' ||
    event.kind === 'SubOrchestrationInstanceCreated'
  );
}

function ownFields(event: HistoryEvent): WireEvent {
  switch (event.kind) {
    case 'ExecutionStarted':
      return startFields(event);
    case 'EventRaised':
      return { Name: event.name, Input: event.input };
    case 'TaskCompleted':
    case 'SubOrchestrationInstanceCompleted':
      return { TaskScheduledId: event.taskId, Result: event.result };
    case 'TaskFailed':
    case 'SubOrchestrationInstanceFailed':
      return { TaskScheduledId: event.taskId, Reason: event.reason, Details: event.details };
    case 'TimerFired':
      return { TimerId: event.taskId, FireAt: new Date(event.fireAt).toISOString() };
    case 'TaskScheduled':
      return { Name: event.name };
    case 'SubOrchestrationInstanceCreated':
      return { Name: event.name, InstanceId: event.instanceId };
    case 'TimerCreated':
      return { FireAt: new Date(event.fireAt).toISOString() };
    case 'ExecutionTerminated':
      return { Input: event.reason };
    case 'ExecutionSuspended':
    case 'ExecutionResumed':
      return { Reason: event.reason };
    case 'ExecutionCompleted':
      return { OrchestrationStatus: event.status, Result: event.result };
    case 'OrchestratorStarted':
    case 'OrchestratorCompleted':
      return {};
  }
}

function startFields(event: ExecutionStarted): WireEvent {
  const { parent } = event;
  return {
    Name: event.name,
    Version: event.version ?? '',
    Input: event.input,
    OrchestrationInstance: instance(event.instanceId, event.executionId),
    ParentInstance: parent && {
      OrchestrationInstance: instance(parent.instanceId, parent.executionId),
      TaskScheduleId: parent.taskId,
      Name: parent.name,
    },
  };
}

function instance(instanceId: string, executionId: string): WireEvent {
  return { InstanceId: instanceId, ExecutionId: executionId };
}
