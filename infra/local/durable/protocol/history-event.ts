/**
 * What the engine writes down about an instance: one event per thing that happened to the current
 * generation. This is the engine's own form; `wire-event.ts` turns it into what the SDK reads.
 * Times are milliseconds since the epoch; results, inputs and event data are JSON text.
 */

type At = { readonly at: number };

/** Who started a child instance, and as which of its tasks. */
export type ParentLink = {
  readonly instanceId: string;
  readonly executionId: string;
  readonly taskId: number;
  readonly name: string;
};

export type ExecutionStarted = At & {
  readonly kind: 'ExecutionStarted';
  readonly name: string;
  readonly version: string | null;
  readonly input: string | null;
  readonly instanceId: string;
  readonly executionId: string;
  readonly parent: ParentLink | null;
};

export type EventRaised = At & {
  readonly kind: 'EventRaised';
  readonly name: string;
  readonly input: string;
};

export type TaskCompleted = At & {
  readonly kind: 'TaskCompleted' | 'SubOrchestrationInstanceCompleted';
  readonly taskId: number;
  readonly result: string | null;
};

/** Details are null only for a child that was terminated: the SDK cannot read that, as on Azure. */
export type TaskFailed = At & {
  readonly kind: 'TaskFailed' | 'SubOrchestrationInstanceFailed';
  readonly taskId: number;
  readonly reason: string;
  readonly details: string | null;
};

export type TimerFired = At & {
  readonly kind: 'TimerFired';
  readonly taskId: number;
  readonly fireAt: number;
};

export type ControlEvent = At & {
  readonly kind: 'ExecutionTerminated' | 'ExecutionSuspended' | 'ExecutionResumed';
  readonly reason: string;
};

export type TaskScheduled = At & {
  readonly kind: 'TaskScheduled';
  readonly taskId: number;
  readonly name: string;
};

export type ChildCreated = At & {
  readonly kind: 'SubOrchestrationInstanceCreated';
  readonly taskId: number;
  readonly name: string;
  readonly instanceId: string;
};

export type TimerCreated = At & {
  readonly kind: 'TimerCreated';
  readonly taskId: number;
  readonly fireAt: number;
};

export type ExecutionCompleted = At & {
  readonly kind: 'ExecutionCompleted';
  readonly status: FinalStatus;
  readonly result: string | null;
};

export type EpisodeMark = At & { readonly kind: 'OrchestratorStarted' | 'OrchestratorCompleted' };

/** Statuses an instance never leaves. */
export type FinalStatus = 'Completed' | 'Failed' | 'Terminated';

/** Statuses of an instance; `Pending` until its first episode is committed. */
export type InstanceStatus = FinalStatus | 'Pending' | 'Running' | 'Suspended';

/** Something that happened outside and is delivered to an instance in its next episode. */
export type InboundEvent =
  | ExecutionStarted
  | EventRaised
  | TaskCompleted
  | TaskFailed
  | TimerFired
  | ControlEvent;

/** Work the code asked for and the engine confirmed. */
export type ScheduledEvent = TaskScheduled | ChildCreated | TimerCreated;

export type HistoryEvent = InboundEvent | ScheduledEvent | ExecutionCompleted | EpisodeMark;

export function isFinal(status: InstanceStatus): status is FinalStatus {
  return status === 'Completed' || status === 'Failed' || status === 'Terminated';
}
