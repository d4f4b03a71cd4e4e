/**
 * What an orchestrator function is triggered with: the whole history and the input. Made anew for
 * every run, because the SDK rewrites what it is given.
 */
import type { TriggerInput } from '../durable-host.ts';
import type { HistoryEvent } from './history-event.ts';
import { fromJsonText } from './json-text.ts';
import type { TimerLimits } from './timer-limits.ts';
import { toTimeSpan } from './timer-limits.ts';
import { toWireEvent } from './wire-event.ts';

export type Trigger = {
  readonly instanceId: string;
  readonly parentInstanceId: string | null;
  /** JSON text. */
  readonly input: string | null;
  /** Events of committed episodes. */
  readonly played: readonly HistoryEvent[];
  /** Events of this episode. */
  readonly batch: readonly HistoryEvent[];
  readonly timerLimits: TimerLimits;
};

/** `json` makes the text that travels on Azure; `live` makes objects that need no parsing. */
export function triggerPayload(trigger: Trigger, route: 'json' | 'live'): TriggerInput {
  const live = route === 'live';
  const history = trigger.played.map((event) => toWireEvent(event, true, live));
  for (const event of trigger.batch) history.push(toWireEvent(event, false, live));
  const value = {
    history,
    input: fromJsonText(trigger.input),
    instanceId: trigger.instanceId,
    parentInstanceId: trigger.parentInstanceId,
    isReplaying: trigger.played.length > 0,
    // Replay schema V3. V4 would only add entity locks, which this engine does not have.
    upperSchemaVersion: 1,
    upperSchemaVersionNew: 2,
    maximumShortTimerDuration: toTimeSpan(trigger.timerLimits.longestMs),
    longRunningTimerIntervalDuration: toTimeSpan(trigger.timerLimits.pieceMs),
    // The SDK spells it so.
    defaultHttpAsyncRequestSleepTimeMillseconds: 30_000,
  };
  return live ? { route: 'live', value } : { route: 'json', text: JSON.stringify(value) };
}
