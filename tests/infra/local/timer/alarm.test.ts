import { expect, test } from 'vitest';
import { longestDelayMs, setAlarm } from '../../../../infra/local/timer/alarm.ts';
import { HandClock } from './hand-clock.ts';

test('an alarm months away is waited for in pieces the platform can hold', async () => {
  const clock = new HandClock('2026-01-01T00:00:00Z');
  const rung: number[] = [];
  const atMs = Date.parse('2026-03-01T00:00:00Z');
  setAlarm(clock, atMs, () => rung.push(clock.now()));

  await clock.turnTo('2026-02-28T23:59:59Z');
  expect(rung).toEqual([]);
  await clock.turnTo('2026-03-01T00:00:00Z');

  expect(rung).toEqual([atMs]);
  expect(Math.max(...clock.delays)).toBe(longestDelayMs);
});

test('a cancelled alarm never rings', async () => {
  const clock = new HandClock('2026-01-01T00:00:00Z');
  const cancel = setAlarm(clock, Date.parse('2026-03-01T00:00:00Z'), () => {
    throw new Error('rang');
  });

  await clock.turnTo('2026-02-15T00:00:00Z');
  cancel();

  expect(clock.pending).toBe(0);
});

test('an alarm in the past rings at once, but not before its setter returns', async () => {
  const clock = new HandClock('2026-01-01T00:00:00Z');
  const rung: string[] = [];

  setAlarm(clock, 0, () => rung.push('rung'));
  expect(rung).toEqual([]);
  await clock.turnTo(clock.now());

  expect(rung).toEqual(['rung']);
});
