/**
 * Completions of activities that are not recorded yet. Usually the next episode records them
 * together with its own writes, within microseconds; otherwise the engine writes them to the inbox
 * at the end of the turn. Until then their work items are still stored, so nothing can be lost.
 */
import type { TaskCompleted, TaskFailed } from '../protocol/history-event.ts';

export type Completion = {
  /** The work item that this completes. */
  readonly workNumber: number;
  readonly instanceId: string;
  readonly executionId: string;
  readonly event: TaskCompleted | TaskFailed;
};

export class Mailbox {
  readonly #waiting = new Map<string, Completion[]>();

  add(completion: Completion): void {
    const waiting = this.#waiting.get(completion.instanceId);
    if (waiting === undefined) this.#waiting.set(completion.instanceId, [completion]);
    else waiting.push(completion);
  }

  take(instanceId: string): readonly Completion[] {
    const waiting = this.#waiting.get(instanceId) ?? [];
    this.#waiting.delete(instanceId);
    return waiting;
  }

  takeAll(): readonly Completion[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return all;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }
}
