/**
 * When a schedule is due next, by the local clock of the machine.
 *
 * N1  A schedule that names hours follows the wall clock: on the day the clocks go back it is due once,
 *     on the day they go forward a time that is skipped is due after the gap.
 * N2  A schedule that is due in every hour follows real time and knows no gap and no repetition.
 */

import type { Schedule } from './ncrontab.ts';

/** How instants read on a clock. */
type Clock = {
  /** Month from 1, weekday from Sunday 0. */
  read(ms: number): {
    readonly month: number;
    readonly day: number;
    readonly weekday: number;
    readonly hour: number;
    readonly minute: number;
    readonly second: number;
  };
  startOfNextDay(ms: number): number;
};

const localClock: Clock = {
  read(ms) {
    const date = new Date(ms);
    return {
      month: date.getMonth() + 1,
      day: date.getDate(),
      weekday: date.getDay(),
      hour: date.getHours(),
      minute: date.getMinutes(),
      second: date.getSeconds(),
    };
  },
  startOfNextDay(ms) {
    const date = new Date(ms);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
  },
};

// The wall clock laid out on a line without gaps: its readings are written as if they were UTC.
const wallClock: Clock = {
  read(ms) {
    const date = new Date(ms);
    return {
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      weekday: date.getUTCDay(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  },
  startOfNextDay: (ms) => Math.floor(ms / dayMs) * dayMs + dayMs,
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
// The longest wait there is: 29 February on a given weekday, across a year 2100 without one.
const horizonMs = 41 * 366 * dayMs;

/** The first instant after `afterMs`, or undefined when there is none (30 February). */
export function nextOccurrence(schedule: Schedule, afterMs: number): number | undefined {
  if (schedule.hours.size === 24) return search(schedule, localClock, afterMs);
  let wall = search(schedule, wallClock, toWall(afterMs));
  while (wall !== undefined) {
    const instant = fromWall(wall);
    if (instant > afterMs) return instant;
    wall = search(schedule, wallClock, wall);
  }
  return undefined;
}

function search(schedule: Schedule, clock: Clock, afterMs: number): number | undefined {
  let at = Math.floor(afterMs / secondMs) * secondMs + secondMs;
  const end = at + horizonMs;
  while (at < end) {
    const { month, day, weekday, hour, minute, second } = clock.read(at);
    const isDay =
      schedule.months.has(month) && schedule.days.has(day) && schedule.weekdays.has(weekday);
    if (!isDay) at = clock.startOfNextDay(at);
    else if (!schedule.hours.has(hour)) at += hourMs - minute * minuteMs - second * secondMs;
    else if (!schedule.minutes.has(minute)) at += minuteMs - second * secondMs;
    else if (!schedule.seconds.has(second)) at += secondMs;
    else return at;
  }
  return undefined;
}

function toWall(ms: number): number {
  return ms - new Date(ms).getTimezoneOffset() * minuteMs;
}

function fromWall(wallMs: number): number {
  const at = new Date(wallMs);
  return new Date(
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  ).getTime();
}
