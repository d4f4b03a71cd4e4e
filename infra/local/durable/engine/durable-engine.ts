/**
 * The engine: takes instances from message to message until they end.
 *
 * Invariants:
 * E1 An episode is one transaction; work is dispatched only after its commit.
 * E2 A work item stays stored until the completion of its activity is.
 * E3 One episode at a time per instance.
 * E4 What is in memory can be lost at any moment; the next start rebuilds it from the store.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../../../core/ports/log.ts';
import type { DurableOptions, FunctionCaller } from '../durable-host.ts';
import type { InboundEvent } from '../protocol/history-event.ts';
import { isFinal } from '../protocol/history-event.ts';
import type { TimerLimits } from '../protocol/timer-limits.ts';
import type { DurableStore } from '../store/durable-store.ts';
import type { StoredTimer } from '../store/timer-table.ts';
import { ActivityPool } from './activity-pool.ts';
import { callActivity } from './call-activity.ts';
import type { Committed } from './commit-episode.ts';
import type { NewInstance } from './create-instance.ts';
import { createInstance } from './create-instance.ts';
import { EndWatch } from './end-watch.ts';
import type { Messages } from './episode-batch.ts';
import { EpisodeRunner, OrchestratorMissing } from './episode-runner.ts';
import { FunctionNames } from './function-names.ts';
import type { Completion } from './mailbox.ts';
import { Mailbox } from './mailbox.ts';
import { createPick } from './pick.ts';
import { Scheduler } from './scheduler.ts';
import { TimerClock } from './timer-clock.ts';
import { warnAboutSize } from './warn-about-sizes.ts';

export type EngineParts = {
  readonly store: DurableStore;
  readonly caller: FunctionCaller;
  readonly options: DurableOptions;
  readonly timerLimits: TimerLimits;
  readonly now: () => number;
  readonly log: Log;
};

/** After a failed write, for example on a full disk. */
const retryAfterMs = 1000;

export class DurableEngine {
  readonly store: DurableStore;
  readonly #parts: EngineParts;
  readonly #mailbox = new Mailbox();
  readonly #ends = new EndWatch();
  readonly #runner: EpisodeRunner;
  readonly #scheduler: Scheduler;
  readonly #pool: ActivityPool;
  readonly #clock: TimerClock;
  #isClosed = false;

  constructor(parts: EngineParts) {
    const { store, caller, options, now } = parts;
    this.#parts = parts;
    this.store = store;
    const pick = createPick(options.shuffleSeed);
    const activities = new FunctionNames(caller.activities);
    this.#runner = new EpisodeRunner({ ...parts, activities, pick });
    this.#scheduler = new Scheduler({
      run: (id) => this.#episode(id),
      endOfTurn: () => this.#recordCompletions(),
      pick: (ready) => pick(ready, ready.size),
    });
    this.#pool = new ActivityPool({
      limit: options.maxConcurrentActivities,
      inputOf: (number) => (this.#isClosed ? undefined : store.work.inputOf(number)),
      call: ({ name, taskId }, inputText) => {
        const registered = activities.find(name);
        const call = { name, registered, taskId, inputText, route: options.route };
        return callActivity(caller, call, now);
      },
      done: ({ number, instanceId, executionId }, event) =>
        this.#completed({ workNumber: number, instanceId, executionId, event }),
      pick: (queued) => pick(queued.values(), queued.size),
    });
    this.#clock = new TimerClock(now, () => this.#fireTimers());
  }

  /** Takes up everything unfinished. */
  start(): void {
    const work = this.store.work.all();
    const waiting = this.store.inbox.owners();
    this.#parts.log.info('durable.started', { activities: work.length, instances: waiting.length });
    for (const item of work) this.#pool.add(item);
    for (const id of waiting) this.#scheduler.ready(id);
    this.#clock.check();
  }

  /** Takes no new work, gives what runs until the deadline, records what ended, closes the store. */
  async stop(deadlineMs: number): Promise<void> {
    this.#clock.stop();
    this.#ends.stop();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    await Promise.all([this.#pool.stop(deadline.signal), this.#scheduler.stop(deadline.signal)]);
    clearTimeout(timer);
    // Those who waited for an end read the store once more before it closes.
    await nextTurn();
    this.#recordCompletions();
    this.#isClosed = true;
    this.store.close();
  }

  /** The registered spelling of an orchestrator's name, or undefined. */
  findOrchestrator(name: string): string | undefined {
    return this.#runner.orchestrators.find(name);
  }

  /** Starts an instance. Returns false while one of this id is active. */
  begin(start: NewInstance): boolean {
    const isNew = this.store.transaction(() =>
      createInstance(this.store, start, this.#parts.now()),
    );
    if (!isNew) return false;
    warnAboutSize(this.#parts.log, start.id, 'input', start.input);
    this.#runner.forget(start.id);
    this.#scheduler.ready(start.id);
    return true;
  }

  /** Leaves a message for whichever generation of the instance is current. */
  tell(id: string, event: InboundEvent): void {
    this.store.transaction(() => this.store.inbox.add(id, null, { event }));
    if (event.kind === 'EventRaised') warnAboutSize(this.#parts.log, id, 'event', event.input);
    this.#scheduler.ready(id);
  }

  /** Deletes instances with all they have. */
  purge(ids: readonly string[]): void {
    this.store.transaction(() => {
      for (const id of ids) {
        this.store.clear(id);
        this.store.instances.delete(id);
      }
    });
    for (const id of ids) {
      this.#runner.forget(id);
      this.#ends.ended(id);
    }
  }

  /** Resolves when the instance has ended, or after the time given. */
  whenEnded(id: string, timeoutMs: number): Promise<void> {
    return this.#ends.wait(id, timeoutMs);
  }

  async #episode(id: string): Promise<void> {
    if (this.#isClosed) return;
    const messages: Messages = {
      inbox: this.store.inbox.peek(id),
      completions: this.#mailbox.take(id),
    };
    if (messages.inbox.length === 0 && messages.completions.length === 0) return;
    try {
      const committed = await this.#runner.run(id, messages);
      if (committed !== undefined) this.#dispatch(id, committed);
      if (!this.#isClosed && this.store.inbox.has(id)) this.#scheduler.ready(id);
    } catch (error) {
      this.#episodeFailed(id, messages, error);
    }
  }

  /** Nothing was consumed: the messages are still in the store, or go back to the mailbox. */
  #episodeFailed(id: string, messages: Messages, error: unknown): void {
    if (this.#isClosed) return;
    for (const completion of messages.completions) this.#mailbox.add(completion);
    this.#parts.log.error('durable.episode_failed', { instanceId: id, error });
    if (error instanceof OrchestratorMissing) this.#recordCompletions();
    else setTimeout(() => this.#scheduler.ready(id), retryAfterMs).unref();
  }

  #dispatch(id: string, committed: Committed): void {
    const { instance, timers } = committed.run;
    for (const { item, inputText } of committed.work) this.#pool.add(item, inputText);
    for (const child of committed.started) this.#runner.forget(child);
    for (const other of [...committed.started, ...committed.told]) this.#scheduler.ready(other);
    for (const childId of committed.refused) {
      this.#parts.log.warning('durable.child_id_taken', { instanceId: id, childId });
    }
    if (timers.size > 0) this.#clock.consider(this.store.timers.next() ?? Number.POSITIVE_INFINITY);
    if (isFinal(instance.status)) this.#ends.ended(id);
  }

  #completed(completion: Completion): void {
    if (this.#isClosed) return;
    this.#mailbox.add(completion);
    this.#scheduler.touch();
    this.#scheduler.ready(completion.instanceId);
  }

  /** Writes completions that no episode took along to the inbox. */
  #recordCompletions(): void {
    if (this.#isClosed || this.#mailbox.isEmpty) return;
    const completions = this.#mailbox.takeAll();
    try {
      this.store.transaction(() => {
        for (const { workNumber, instanceId, executionId, event } of completions) {
          this.store.work.remove(workNumber);
          this.store.inbox.add(instanceId, executionId, { event });
        }
      });
    } catch (error) {
      for (const completion of completions) this.#mailbox.add(completion);
      this.#parts.log.error('durable.write_failed', { error });
      setTimeout(() => this.#scheduler.touch(), retryAfterMs).unref();
    }
  }

  /** Moves due timers to the inboxes of their instances; returns when to look again, if ever. */
  #fireTimers(): number | undefined {
    const at = this.#parts.now();
    try {
      const due = this.store.timers.due(at);
      if (due.length > 0) this.#deliver(due, at);
      return this.store.timers.next();
    } catch (error) {
      this.#parts.log.error('durable.write_failed', { error });
      return at + retryAfterMs;
    }
  }

  #deliver(due: readonly StoredTimer[], at: number): void {
    this.store.transaction(() => {
      for (const { instanceId, executionId, taskId, fireAt } of due) {
        this.store.timers.remove(instanceId, taskId);
        const event: InboundEvent = { kind: 'TimerFired', at, taskId, fireAt };
        this.store.inbox.add(instanceId, executionId, { event });
      }
    });
    for (const { instanceId } of due) this.#scheduler.ready(instanceId);
  }
}
