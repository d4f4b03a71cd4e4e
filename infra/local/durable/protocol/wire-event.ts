/**
 * History events as the SDK and the management API know them: numbered types, capitalised names.
 * Every call makes new objects, because the SDK rewrites the ones it is given.
 */
import type { HistoryEvent, ParentLink } from './history-event.ts';

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
  return withFields(event, {
    EventType: eventTypes[event.kind],
    EventId: 'taskId' in event && isScheduled(event) ? event.taskId : -1,
    IsPlayed: isPlayed,
    Timestamp: live ? time : time.toISOString(),
  });
}

/** One event for people and tools; results and inputs only when asked for. */
export function toShownEvent(event: HistoryEvent, withData: boolean): WireEvent {
  const shown = withFields(event, {
    EventType: event.kind,
    Timestamp: new Date(event.at).toISOString(),
  });
  if (!withData) {
    delete shown['Result'];
    delete shown['Input'];
  }
  return shown;
}

function isScheduled(event: HistoryEvent): boolean {
  return (
    event.kind === 'TaskScheduled' ||
    event.kind === 'TimerCreated' ||
    event.kind === 'SubOrchestrationInstanceCreated'
  );
}

function withFields(event: HistoryEvent, wire: WireEvent): WireEvent {
  switch (event.kind) {
    case 'ExecutionStarted':
      wire['Name'] = event.name;
      wire['Version'] = event.version ?? '';
      wire['Input'] = event.input;
      wire['OrchestrationInstance'] = instance(event.instanceId, event.executionId);
      wire['ParentInstance'] = event.parent === null ? null : parentInstance(event.parent);
      return wire;
    case 'EventRaised':
      wire['Name'] = event.name;
      wire['Input'] = event.input;
      return wire;
    case 'TaskCompleted':
    case 'SubOrchestrationInstanceCompleted':
      wire['TaskScheduledId'] = event.taskId;
      wire['Result'] = event.result;
      return wire;
    case 'TaskFailed':
    case 'SubOrchestrationInstanceFailed':
      wire['TaskScheduledId'] = event.taskId;
      wire['Reason'] = event.reason;
      wire['Details'] = event.details;
      return wire;
    case 'TimerFired':
      wire['TimerId'] = event.taskId;
      wire['FireAt'] = new Date(event.fireAt).toISOString();
      return wire;
    case 'TaskScheduled':
      wire['Name'] = event.name;
      return wire;
    case 'SubOrchestrationInstanceCreated':
      wire['Name'] = event.name;
      wire['InstanceId'] = event.instanceId;
      return wire;
    case 'TimerCreated':
      wire['FireAt'] = new Date(event.fireAt).toISOString();
      return wire;
    case 'ExecutionTerminated':
      wire['Input'] = event.reason;
      return wire;
    case 'ExecutionSuspended':
    case 'ExecutionResumed':
      wire['Reason'] = event.reason;
      return wire;
    case 'ExecutionCompleted':
      wire['OrchestrationStatus'] = event.status;
      wire['Result'] = event.result;
      return wire;
    case 'OrchestratorStarted':
    case 'OrchestratorCompleted':
      return wire;
  }
}

function instance(instanceId: string, executionId: string): WireEvent {
  return { InstanceId: instanceId, ExecutionId: executionId };
}

function parentInstance(parent: ParentLink): WireEvent {
  return {
    OrchestrationInstance: instance(parent.instanceId, parent.executionId),
    TaskScheduleId: parent.taskId,
    Name: parent.name,
  };
}
