/**
 * Decides whose episode runs next. One episode at a time per instance; instances take turns in
 * order of readiness. Replays are synchronous, so after a slice of time the event loop gets its
 * turn, however much is ready.
 */

/** Longest stretch of episodes without giving the event loop a turn. */
const sliceMs = 8;
/** Episodes in progress at once. More than one only so that a slow hook does not stop all others. */
const lanes = 8;

export type SchedulerWork = {
  /** Runs one episode; must not reject. */
  readonly run: (id: string) => Promise<void>;
  /** Called once in every turn of the event loop in which something ran. */
  readonly endOfTurn: () => void;
  /** Chooses among the ready ones; the first unless a test shuffles. */
  readonly pick: (ready: ReadonlySet<string>) => string | undefined;
};

export class Scheduler {
  readonly #work: SchedulerWork;
  readonly #ready = new Set<string>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  #turn: NodeJS.Immediate | undefined;
  #turnStartedAt = 0;
  #stopped = false;
  #whenIdle: (() => void) | undefined;

  constructor(work: SchedulerWork) {
    this.#work = work;
  }

  /** The instance has messages. */
  ready(id: string): void {
    if (this.#stopped) return;
    if (this.#running.has(id)) this.#again.add(id);
    else this.#ready.add(id);
    this.#pump();
  }

  /** Something happened that wants `endOfTurn`. */
  touch(): void {
    this.#hasTime();
  }

  /** Starts no more episodes; resolves when those in progress ended or the deadline passed. */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopped = true;
    this.#ready.clear();
    this.#again.clear();
    if (this.#running.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
        deadline.addEventListener('abort', () => resolve());
      });
    }
    clearImmediate(this.#turn);
  }

  #pump(): void {
    while (!this.#stopped && this.#running.size < lanes && this.#ready.size > 0) {
      if (!this.#hasTime()) return;
      const id = this.#work.pick(this.#ready);
      if (id === undefined) return;
      this.#ready.delete(id);
      this.#running.add(id);
      void this.#work.run(id).then(() => this.#ended(id));
    }
  }

  #ended(id: string): void {
    this.#running.delete(id);
    if (this.#again.delete(id)) this.#ready.add(id);
    if (this.#stopped && this.#running.size === 0) this.#whenIdle?.();
    this.#pump();
  }

  #hasTime(): boolean {
    if (this.#turn !== undefined) return performance.now() - this.#turnStartedAt < sliceMs;
    this.#turnStartedAt = performance.now();
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#work.endOfTurn();
      this.#pump();
    });
    return true;
  }
}
