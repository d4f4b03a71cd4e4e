import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseNcrontab } from '../../../../infra/local/timer/ncrontab.ts';
import { type TimerInput, TimerRunner } from '../../../../infra/local/timer/timer-runner.ts';
import type { TimerState } from '../../../../infra/local/timer/timer-state.ts';
import { aQuietLog } from '../quiet-log.ts';
import { HandClock } from './hand-clock.ts';

const hourly = '0 0 * * * *';

function aTimer(clock: HandClock, options: Partial<Options> = {}) {
  const states = options.states ?? new Map<string, TimerState>();
  const inputs: TimerInput[] = [];
  const log = aQuietLog();
  const scheduleText = options.scheduleText ?? hourly;
  const runner = new TimerRunner(
    {
      name: 'tick',
      scheduleText,
      schedule: parseNcrontab(scheduleText),
      runOnStartup: options.runOnStartup ?? false,
      useMonitor: options.useMonitor ?? true,
    },
    {
      clock,
      log,
      states: { load: (name) => states.get(name), save: (name, state) => states.set(name, state) },
      async run(_name, input) {
        inputs.push(input);
        await options.work?.();
      },
    },
  );
  return { runner, inputs, states, log };
}

type Options = {
  scheduleText: string;
  runOnStartup: boolean;
  useMonitor: boolean;
  states: Map<string, TimerState>;
  work: () => Promise<void>;
};

let zone: string | undefined;
beforeEach(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'UTC';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe('a timer function', () => {
  test('runs at each occurrence and is told the last and the next one', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const { runner, inputs } = aTimer(clock);
    runner.start();

    await clock.turnTo('2026-01-01T02:10:00Z');

    expect(inputs).toEqual([
      {
        Schedule: { AdjustForDST: true },
        ScheduleStatus: {
          Last: '0001-01-01T00:00:00',
          Next: '2026-01-01T01:00:00.000Z',
          LastUpdated: '2026-01-01T00:30:00.000Z',
        },
        IsPastDue: false,
      },
      {
        Schedule: { AdjustForDST: true },
        ScheduleStatus: {
          Last: '2026-01-01T01:00:00.000Z',
          Next: '2026-01-01T02:00:00.000Z',
          LastUpdated: '2026-01-01T01:00:00.000Z',
        },
        IsPastDue: false,
      },
    ]);
  });

  test('runs once, at once and past due, however many occurrences were missed', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const first = aTimer(clock);
    first.runner.start();
    await clock.turnTo('2026-01-01T01:10:00Z');
    await first.runner.stop();
    await clock.turnTo('2026-01-01T09:10:00Z');

    const second = aTimer(clock, { states: first.states });
    second.runner.start();
    await clock.turnTo('2026-01-01T10:00:00Z');

    expect(second.inputs.map(({ IsPastDue }) => IsPastDue)).toEqual([true, false]);
    expect(second.inputs[0]?.ScheduleStatus?.Last).toBe('2026-01-01T01:00:00.000Z');
  });

  test('is not past due when nothing was missed', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const first = aTimer(clock);
    first.runner.start();
    await first.runner.stop();
    await clock.turnTo('2026-01-01T00:50:00Z');

    const second = aTimer(clock, { states: first.states });
    second.runner.start();
    await clock.turnTo('2026-01-01T00:55:00Z');

    expect(second.inputs).toEqual([]);
  });

  test('is past due under a changed schedule only if that one was missed', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const hour = aTimer(clock);
    hour.runner.start();
    await hour.runner.stop();
    await clock.turnTo('2026-01-01T03:00:01Z');

    const daily = aTimer(clock, { states: hour.states, scheduleText: '0 0 12 * * *' });
    daily.runner.start();
    await clock.turnTo('2026-01-01T12:00:00Z');

    expect(daily.inputs.map(({ IsPastDue }) => IsPastDue)).toEqual([false]);
  });

  test('does not overlap with itself and skips what it slept through', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const gate = Promise.withResolvers<void>();
    const { runner, inputs } = aTimer(clock, { work: () => gate.promise });
    runner.start();

    await clock.turnTo('2026-01-01T04:30:00Z');
    expect(inputs).toHaveLength(1);
    gate.resolve();
    await clock.turnTo('2026-01-01T05:00:00Z');

    expect(inputs.map(({ ScheduleStatus }) => ScheduleStatus?.Next)).toEqual([
      '2026-01-01T01:00:00.000Z',
      '2026-01-01T05:00:00.000Z',
    ]);
  });

  test('that throws is logged and runs again', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const { runner, inputs, log } = aTimer(clock, { work: () => Promise.reject(new Error('no')) });
    runner.start();

    await clock.turnTo('2026-01-01T02:30:00Z');

    expect(inputs).toHaveLength(2);
    expect(log.lines.map(({ level, event }) => [level, event])).toEqual([
      ['error', 'timer.failed'],
      ['error', 'timer.failed'],
    ]);
  });

  test('runs at every start when it asks for it', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const { runner, inputs } = aTimer(clock, { runOnStartup: true });

    runner.start();

    expect(inputs.map(({ IsPastDue }) => IsPastDue)).toEqual([false]);
  });

  test('that is due more often than every minute is not remembered', async () => {
    const clock = new HandClock('2026-01-01T00:00:00Z');
    const { runner, inputs, states } = aTimer(clock, { scheduleText: '*/30 * * * * *' });
    runner.start();

    await clock.turnTo('2026-01-01T00:01:00Z');

    expect(inputs.map(({ ScheduleStatus }) => ScheduleStatus)).toEqual([null, null]);
    expect(states.size).toBe(0);
  });

  test('a stop waits for the run in progress and starts no other', async () => {
    const clock = new HandClock('2026-01-01T00:30:00Z');
    const gate = Promise.withResolvers<void>();
    const { runner, inputs } = aTimer(clock, { work: () => gate.promise });
    runner.start();
    await clock.turnTo('2026-01-01T01:00:00Z');
    let stopped = false;

    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    await clock.turnTo('2026-01-01T01:00:00Z');
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    await clock.turnTo('2026-01-01T05:00:00Z');

    expect(inputs).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('a schedule that is never due is refused', () => {
    const clock = new HandClock('2026-01-01T00:00:00Z');

    expect(() => aTimer(clock, { scheduleText: '0 0 0 30 2 *' })).toThrow(
      '"0 0 0 30 2 *" is never due.',
    );
  });
});
