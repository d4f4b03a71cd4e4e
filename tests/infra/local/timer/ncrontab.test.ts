import { describe, expect, test } from 'vitest';
import { parseNcrontab } from '../../../../infra/local/timer/ncrontab.ts';

const sorted = (values: ReadonlySet<number>) => [...values].sort((a, b) => a - b);

describe('a schedule', () => {
  test('of six fields begins with the second', () => {
    const schedule = parseNcrontab('5,10 */20 9-17/4 1 jan,MAR mon-fri');

    expect(Object.values(schedule).map(sorted)).toEqual([
      [5, 10],
      [0, 20, 40],
      [9, 13, 17],
      [1],
      [1, 3],
      [1, 2, 3, 4, 5],
    ]);
  });

  test('of five fields is due at second 0', () => {
    const schedule = parseNcrontab('30 9 * * Sunday');

    expect(sorted(schedule.seconds)).toEqual([0]);
    expect(sorted(schedule.minutes)).toEqual([30]);
    expect(sorted(schedule.weekdays)).toEqual([0]);
  });

  test('a number with a step counts from there to the end of the field', () => {
    expect(sorted(parseNcrontab('50/4 * * * * *').seconds)).toEqual([50, 54, 58]);
  });

  test.each([
    ['* * * *', 'A schedule has five or six fields; "* * * *" has 4.'],
    ['60 * * * * *', '"60" is not a second from 0 to 59.'],
    ['* * 24 * * *', '"24" is not a hour from 0 to 23.'],
    ['* * * 0 * *', '"0" is not a day from 1 to 31.'],
    ['* * * * foo *', '"foo" is not a month from 1 to 12.'],
    ['* * * * * 7', '"7" is not a day of the week from 0 to 6.'],
    ['5-1 * * * * *', '"5-1" is not a second from 0 to 59.'],
    ['*/0 * * * * *', '"*/0" is not a second from 0 to 59.'],
    ['1,,2 * * * * *', '"" is not a second from 0 to 59.'],
    ['1-2-3 * * * * *', '"1-2-3" is not a second from 0 to 59.'],
  ])('%s is refused', (text, message) => {
    expect(() => parseNcrontab(text)).toThrow(message);
  });
});
