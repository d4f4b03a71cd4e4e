/**
 * Runs one timer function on its schedule.
 *
 * T1  Runs never overlap: the next occurrence is looked for when the function has ended.
 * T2  However many occurrences were missed while no host ran, they make up one run, at once, marked
 *     past due.
 * T3  An error is logged; the schedule goes on.
 * T4  Intervals below a minute are not remembered across starts, so they are never past due.
 */

import type { Log } from '../../../core/ports/log.ts';
import { type AlarmClock, setAlarm } from './alarm.ts';
import type { Schedule } from './ncrontab.ts';
import { nextOccurrence } from './next-occurrence.ts';
import type { TimerState, TimerStates } from './timer-state.ts';

export type TimerFunction = {
  readonly name: string;
  readonly scheduleText: string;
  readonly schedule: Schedule;
  readonly runOnStartup: boolean;
  readonly useMonitor: boolean;
};

/** The trigger input, spelled as the platform spells it; times are ISO 8601. */
export type TimerInput = {
  readonly Schedule: { readonly AdjustForDST: boolean };
  readonly ScheduleStatus: {
    readonly Last: string;
    readonly Next: string;
    readonly LastUpdated: string;
  } | null;
  readonly IsPastDue: boolean;
};

export type TimerParts = {
  readonly clock: AlarmClock;
  readonly states: TimerStates;
  readonly log: Log;
  readonly run: (functionName: string, input: TimerInput) => Promise<void>;
};

const monitoredFromMs = 60_000;

export class TimerRunner {
  readonly #timer: TimerFunction;
  readonly #parts: TimerParts;
  readonly #isMonitored: boolean;
  #state: TimerState;
  #running: Promise<void> = Promise.resolve();
  #cancelAlarm = (): void => undefined;
  #stopped = false;

  /** Throws an Error for a schedule that is never due. */
  constructor(timer: TimerFunction, parts: TimerParts) {
    this.#timer = timer;
    this.#parts = parts;
    const now = parts.clock.now();
    const nextMs = this.#nextAfter(now);
    this.#isMonitored = timer.useMonitor && this.#nextAfter(nextMs) - nextMs >= monitoredFromMs;
    this.#state = this.#recall() ?? this.#describe(undefined, nextMs, now);
  }

  start(): void {
    const now = this.#parts.clock.now();
    const isPastDue = this.#isMonitored && this.#state.nextMs < now;
    if (this.#isMonitored) this.#parts.states.save(this.#timer.name, this.#state);
    if (isPastDue || this.#timer.runOnStartup) this.#run(isPastDue);
    else this.#arm();
  }

  /** Resolves when a run in progress has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelAlarm();
    await this.#running;
  }

  #recall(): TimerState | undefined {
    if (!this.#isMonitored) return undefined;
    const known = this.#parts.states.load(this.#timer.name);
    if (known === undefined || known.schedule === this.#timer.scheduleText) return known;
    // Under the new schedule it would have been due since the last time anybody looked.
    return this.#describe(known.lastMs, this.#nextAfter(known.updatedMs), known.updatedMs);
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#cancelAlarm = setAlarm(this.#parts.clock, this.#state.nextMs, () => this.#run(false));
  }

  #run(isPastDue: boolean): void {
    if (this.#stopped) return;
    const startedMs = this.#parts.clock.now();
    const input = this.#inputFor(isPastDue);
    this.#running = this.#parts.run(this.#timer.name, input).catch((error: unknown) => {
      this.#parts.log.error('timer.failed', { function: this.#timer.name, error });
    });
    void this.#running.then(() => this.#settle(startedMs));
  }

  #settle(startedMs: number): void {
    const now = this.#parts.clock.now();
    this.#state = this.#describe(startedMs, this.#nextAfter(now), now);
    if (this.#isMonitored) this.#parts.states.save(this.#timer.name, this.#state);
    this.#arm();
  }

  #inputFor(isPastDue: boolean): TimerInput {
    const { lastMs, nextMs, updatedMs } = this.#state;
    return {
      Schedule: { AdjustForDST: true },
      ScheduleStatus: this.#isMonitored
        ? { Last: toIso(lastMs), Next: toIso(nextMs), LastUpdated: toIso(updatedMs) }
        : null,
      IsPastDue: isPastDue,
    };
  }

  #describe(lastMs: number | undefined, nextMs: number, updatedMs: number): TimerState {
    return { schedule: this.#timer.scheduleText, lastMs, nextMs, updatedMs };
  }

  #nextAfter(ms: number): number {
    const next = nextOccurrence(this.#timer.schedule, ms);
    if (next === undefined) throw new Error(`"${this.#timer.scheduleText}" is never due.`);
    return next;
  }
}

// The platform says "never" with the smallest time it knows.
function toIso(ms: number | undefined): string {
  return ms === undefined ? '0001-01-01T00:00:00' : new Date(ms).toISOString();
}
