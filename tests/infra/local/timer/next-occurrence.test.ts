import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseNcrontab } from '../../../../infra/local/timer/ncrontab.ts';
import { nextOccurrence } from '../../../../infra/local/timer/next-occurrence.ts';

const next = (schedule: string, after: string) => {
  const ms = nextOccurrence(parseNcrontab(schedule), Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

let zone: string | undefined;
beforeEach(() => {
  zone = process.env['TZ'];
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe('the next occurrence in UTC', () => {
  beforeEach(() => {
    process.env['TZ'] = 'UTC';
  });

  test.each([
    ['*/5 * * * *', '2026-11-21T10:02:30Z', '2026-11-21T10:05:00.000Z'],
    ['*/5 * * * *', '2026-11-21T10:05:00Z', '2026-11-21T10:10:00.000Z'],
    ['* * * * * *', '2026-11-21T10:05:00.999Z', '2026-11-21T10:05:01.000Z'],
    ['0 30 9 * * mon-fri', '2026-11-20T09:30:00Z', '2026-11-23T09:30:00.000Z'],
    ['0 0 0 1 1 *', '2026-11-21T10:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['0 0 0 29 2 *', '2026-11-21T10:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 0 13 * fri', '2026-11-21T10:00:00Z', '2027-08-13T00:00:00.000Z'],
    ['59 59 23 31 12 *', '2026-12-31T23:59:59Z', '2027-12-31T23:59:59.000Z'],
  ])('of %s after %s', (schedule, after, expected) => {
    expect(next(schedule, after)).toBe(expected);
  });

  test('a day that no month has is never due', () => {
    expect(next('0 0 0 30 2 *', '2026-11-21T10:00:00Z')).toBeUndefined();
  });
});

describe('the next occurrence where clocks are put forward and back', () => {
  beforeEach(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });

  test('a named hour follows the wall clock', () => {
    expect(next('0 0 9 * * *', '2026-03-28T12:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
    expect(next('0 0 9 * * *', '2026-03-27T12:00:00Z')).toBe('2026-03-28T08:00:00.000Z');
  });

  test('a time that is skipped in spring is due after the gap', () => {
    expect(next('0 30 2 * * *', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
  });

  test('a time that comes twice in autumn is due once', () => {
    expect(next('0 30 2 * * *', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(next('0 30 2 * * *', '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
  });

  test('a schedule for every hour goes on through the repeated hour', () => {
    expect(next('0 */30 * * * *', '2026-10-25T00:30:00Z')).toBe('2026-10-25T01:00:00.000Z');
    expect(next('0 */30 * * * *', '2026-10-25T01:00:00Z')).toBe('2026-10-25T01:30:00.000Z');
  });
});
