/**
 * Runs activities, a limited number at a time. The queue holds numbers and names only: inputs stay
 * in the database until an activity's turn comes, so a wide fan-out costs no memory.
 */
import type { TaskCompleted, TaskFailed } from '../protocol/history-event.ts';
import type { WorkItem } from '../store/work-table.ts';

export type ActivityPoolWork = {
  readonly limit: number;
  /** The input text, or undefined when the item is gone because its instance is. */
  readonly inputOf: (number: number) => string | undefined;
  /** Must not reject. */
  readonly call: (item: WorkItem, inputText: string) => Promise<TaskCompleted | TaskFailed>;
  readonly done: (item: WorkItem, event: TaskCompleted | TaskFailed) => void;
  /** Chooses among the queued numbers; the first unless a test shuffles. */
  readonly pick: (queued: ReadonlyMap<number, WorkItem>) => WorkItem | undefined;
};

export class ActivityPool {
  readonly #work: ActivityPoolWork;
  readonly #queue = new Map<number, WorkItem>();
  #running = 0;
  #stopped = false;
  #whenIdle: (() => void) | undefined;

  constructor(work: ActivityPoolWork) {
    this.#work = work;
  }

  /** Queues an item; `inputText` spares a read when the item can run at once. */
  add(item: WorkItem, inputText?: string): void {
    if (this.#stopped) return;
    const runsNow = this.#running < this.#work.limit && this.#queue.size === 0;
    if (inputText !== undefined && runsNow) this.#start(item, inputText);
    else {
      this.#queue.set(item.number, item);
      this.#pump();
    }
  }

  /** Starts nothing more; resolves when the running activities ended or the deadline passed. */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopped = true;
    this.#queue.clear();
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      deadline.addEventListener('abort', () => resolve());
    });
  }

  #pump(): void {
    while (!this.#stopped && this.#running < this.#work.limit) {
      const item = this.#work.pick(this.#queue);
      if (item === undefined) return;
      this.#queue.delete(item.number);
      const inputText = this.#work.inputOf(item.number);
      if (inputText !== undefined) this.#start(item, inputText);
    }
  }

  #start(item: WorkItem, inputText: string): void {
    this.#running += 1;
    void this.#work.call(item, inputText).then((event) => {
      this.#running -= 1;
      this.#work.done(item, event);
      if (this.#running === 0) this.#whenIdle?.();
      this.#pump();
    });
  }
}
