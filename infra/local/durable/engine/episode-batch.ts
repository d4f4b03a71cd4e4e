/** Gathers what an instance is told in its next episode. */
import type { EventRaised, HistoryEvent, InboundEvent } from '../protocol/history-event.ts';
import { isFinal } from '../protocol/history-event.ts';
import type { InboxEntry } from '../store/inbox-table.ts';
import type { Completion } from './mailbox.ts';
import type { Pick } from './pick.ts';
import { inPickOrder } from './pick.ts';
import type { Run } from './run.ts';
import { lastEventAt } from './run.ts';

/** Messages taken from the inbox and the mailbox; all of them are consumed by one commit. */
export type Messages = {
  readonly inbox: readonly InboxEntry[];
  readonly completions: readonly Completion[];
};

/**
 * The events of the episode, or undefined when none of the messages concerns this generation:
 * what was meant for an older one, or for an instance that ended, is dropped.
 */
export function episodeBatch(
  run: Run,
  messages: Messages,
  now: number,
  pick: Pick,
): readonly HistoryEvent[] | undefined {
  const { executionId, status } = run.instance;
  if (isFinal(status)) return undefined;
  const starts: InboundEvent[] = [];
  const carried: EventRaised[] = [];
  const others: InboundEvent[] = [];
  for (const entry of messages.inbox) {
    if (entry.executionId !== null && entry.executionId !== executionId) continue;
    if (entry.event.kind !== 'ExecutionStarted') others.push(entry.event);
    else {
      starts.push(entry.event);
      carried.push(...(entry.carried ?? []));
    }
  }
  for (const completion of messages.completions) {
    if (completion.executionId === executionId) others.push(completion.event);
  }
  const events = [...starts, ...carried, ...inPickOrder(others, pick)];
  if (events.length === 0) return undefined;
  return [{ kind: 'OrchestratorStarted', at: startTime(run, events, now) }, ...events];
}

/** Time never goes back, and a timer is never delivered before its own time. */
function startTime(run: Run, events: readonly InboundEvent[], now: number): number {
  let at = Math.max(now, lastEventAt(run));
  for (const event of events) {
    at = Math.max(at, event.kind === 'TimerFired' ? event.fireAt : event.at);
  }
  return at;
}
