/** An instance with the history of its current generation, as episodes work on it. */
import type { HistoryEvent } from '../protocol/history-event.ts';
import type { DurableStore } from '../store/durable-store.ts';
import type { Instance } from '../store/instance-table.ts';

export type Run = {
  readonly instance: Instance;
  readonly events: readonly HistoryEvent[];
  /** Number of committed episodes of this generation. */
  readonly episodes: number;
  /** Size of the history in UTF-16 units. */
  readonly size: number;
  /** Task numbers of timers that are stored and have not fired. */
  readonly timers: ReadonlySet<number>;
};

export function loadRun(store: DurableStore, id: string): Run | undefined {
  const instance = store.instances.find(id);
  if (instance === undefined) return undefined;
  return { instance, ...store.history.load(id), timers: new Set(store.timers.tasksOf(id)) };
}

/** The time of the last event; episodes never start before it. */
export function lastEventAt(run: Run): number {
  return run.events.at(-1)?.at ?? 0;
}
