/**
 * What follows from one episode, as data: what to write to the history, what to start, how the
 * instance goes on. Pure, so that it can be decided first and then committed as one.
 */

import type { EpisodeAnswer, EpisodeResult } from '../protocol/episode-result.ts';
import { messageOf } from '../protocol/episode-result.ts';
import type {
  EventRaised,
  FinalStatus,
  HistoryEvent,
  ScheduledEvent,
} from '../protocol/history-event.ts';
import { refuseInstanceId } from '../protocol/instance-id.ts';
import { toJsonText } from '../protocol/json-text.ts';
import type { ChildAction } from '../protocol/orchestration-action.ts';
import type { Replay, ReplayRules } from '../protocol/replay.ts';
import { replayActions } from '../protocol/replay-actions.ts';
import { maxCustomStatusBytes, refuseSize } from '../protocol/size-limits.ts';
import type { Run } from './run.ts';

export type NewWork = {
  readonly taskId: number;
  readonly name: string;
  readonly inputText: string;
};

export type NewChild = {
  readonly taskId: number;
  readonly name: string;
  readonly instanceId: string;
  readonly version: string | null;
  readonly input: string | null;
};

export type NewTimer = { readonly taskId: number; readonly fireAt: number };

export type Ended = {
  readonly kind: 'ended';
  readonly status: FinalStatus;
  /** JSON text when completed, plain text otherwise. */
  readonly output: string | null;
  readonly customStatus: string | null;
  /** Timers that were created and cancelled in this very episode. */
  readonly scheduled: readonly ScheduledEvent[];
};

export type Continued = {
  readonly kind: 'continued';
  readonly input: string | null;
  readonly carried: readonly EventRaised[];
  readonly customStatus: string | null;
};

export type GoesOn = {
  readonly kind: 'goesOn';
  readonly status: 'Running' | 'Suspended';
  readonly customStatus: string | null;
  readonly scheduled: readonly ScheduledEvent[];
  readonly work: readonly NewWork[];
  readonly children: readonly NewChild[];
  readonly timers: readonly NewTimer[];
  /** Task numbers of stored timers that nothing waits for any more. */
  readonly droppedTimers: readonly number[];
};

export type Decision = Ended | Continued | GoesOn;

export type DecisionRules = ReplayRules & { readonly defaultVersion: string | null };

/** Decides over an answer, or over what broke instead of giving one. */
export function decideEpisode(
  run: Run,
  batch: readonly HistoryEvent[],
  result: EpisodeResult,
  rules: DecisionRules,
): Decision {
  const { customStatus } = run.instance;
  if (result.kind === 'broken') return failed(run, result.message, customStatus);
  try {
    return decideAnswer(run, batch, result, rules);
  } catch (error) {
    // A value that JSON cannot hold, or one that is too large.
    return failed(run, messageOf(error), customStatus);
  }
}

/** The instance ends by order, whatever its code would say. */
export function terminated(run: Run, reason: string): Ended {
  const { customStatus } = run.instance;
  return { kind: 'ended', status: 'Terminated', output: reason, customStatus, scheduled: [] };
}

function failed(run: Run, message: string, customStatus: string | null): Ended {
  const output = `Orchestrator function '${run.instance.name}' failed: ${message}`;
  return { kind: 'ended', status: 'Failed', output, customStatus, scheduled: [] };
}

function decideAnswer(
  run: Run,
  batch: readonly HistoryEvent[],
  answer: EpisodeAnswer,
  rules: DecisionRules,
): Decision {
  const customStatus = customStatusText(answer.customStatus);
  const replay = replayActions([...run.events, ...batch], answer, rules);
  const { end } = replay;
  switch (end.kind) {
    case 'failed':
      return failed(run, end.message, customStatus);
    case 'completed': {
      const output = sized('The output', toJsonText(answer.output));
      const scheduled = scheduledEvents(run, batch, replay);
      return { kind: 'ended', status: 'Completed', output, customStatus, scheduled };
    }
    case 'continued': {
      const input = sized('The input of continueAsNew', toJsonText(end.input));
      return { kind: 'continued', input, carried: end.carried, customStatus };
    }
    case 'running':
      return goesOn(run, batch, replay, customStatus, rules);
  }
}

function goesOn(
  run: Run,
  batch: readonly HistoryEvent[],
  replay: Replay,
  customStatus: string | null,
  rules: DecisionRules,
): GoesOn {
  const work: NewWork[] = [];
  const children: NewChild[] = [];
  const timers: NewTimer[] = [];
  for (const task of replay.newTasks) {
    const { taskId } = task;
    if (task.kind === 'timer') {
      if (!task.cancelled) timers.push({ taskId, fireAt: task.fireAt });
    } else if (task.kind === 'activity') {
      const { name, input } = task.action;
      work.push({ taskId, name, inputText: activityInput(name, input) });
    } else {
      children.push(newChild(run, taskId, task.action, rules));
    }
  }
  const droppedTimers = [...run.timers].filter((taskId) => !replay.isOpen(taskId));
  const status = replay.suspended ? 'Suspended' : 'Running';
  const scheduled = scheduledEvents(run, batch, replay);
  return { kind: 'goesOn', status, customStatus, scheduled, work, children, timers, droppedTimers };
}

function scheduledEvents(
  run: Run,
  batch: readonly HistoryEvent[],
  replay: Replay,
): readonly ScheduledEvent[] {
  const at = batch[0]?.at ?? 0;
  return replay.newTasks.map((task): ScheduledEvent => {
    const { taskId } = task;
    if (task.kind === 'timer') return { kind: 'TimerCreated', at, taskId, fireAt: task.fireAt };
    const { name } = task.action;
    if (task.kind === 'activity') return { kind: 'TaskScheduled', at, taskId, name };
    const instanceId = childId(run, taskId, task.action);
    return { kind: 'SubOrchestrationInstanceCreated', at, taskId, name, instanceId };
  });
}

/** The SDK has already turned a string into JSON; anything else becomes JSON here. */
function activityInput(name: string, input: unknown): string {
  const text = typeof input === 'string' ? input : (toJsonText(input) ?? 'null');
  return sized(`The input of activity '${name}'`, text) ?? 'null';
}

function newChild(run: Run, taskId: number, action: ChildAction, rules: DecisionRules): NewChild {
  const { name } = action;
  const input = sized(`The input of sub-orchestration '${name}'`, toJsonText(action.input));
  const version = action.version ?? rules.defaultVersion;
  const instanceId = childId(run, taskId, action);
  const refusal = refuseInstanceId(instanceId);
  if (refusal !== undefined) throw new Error(refusal);
  return { taskId, name, instanceId, version, input };
}

function childId(run: Run, taskId: number, action: ChildAction): string {
  return action.instanceId ?? `${run.instance.executionId}:${taskId}`;
}

/** Anything falsy is no status, as on Azure. */
function customStatusText(value: unknown): string | null {
  const text = value ? toJsonText(value) : null;
  if (text !== null && text.length * 2 > maxCustomStatusBytes) {
    throw new Error(
      `The custom status has ${text.length * 2} bytes in UTF-16; the limit is ${maxCustomStatusBytes}.`,
    );
  }
  return text;
}

function sized(what: string, text: string | null): string | null {
  const refusal = refuseSize(what, text);
  if (refusal !== undefined) throw new Error(refusal);
  return text;
}
