import { expect, test } from 'vitest';
import { readTimerFunctions } from '../../../../infra/local/timer/timer-functions.ts';
import { aFunction } from '../http/a-function.ts';

test('a schedule may be named by a setting', () => {
  const fn = aFunction('tick', { type: 'timerTrigger', schedule: '%TICK%', useMonitor: false });

  const [timer] = readTimerFunctions([fn, aFunction('ping')], { TICK: '0 * * * * *' });

  expect(timer).toMatchObject({
    name: 'tick',
    scheduleText: '0 * * * * *',
    runOnStartup: false,
    useMonitor: false,
  });
});

test.each([
  ['%NO%', 'there is no setting NO.'],
  [undefined, 'it is missing.'],
  ['0 0 0 30 2 *', 'it is never due.'],
  ['every day', 'A schedule has five or six fields; "every day" has 2.'],
])('the schedule %s is refused with the name of its function', (schedule, problem) => {
  const fn = aFunction('tick', { type: 'timerTrigger', schedule });

  expect(() => readTimerFunctions([fn], {})).toThrow(
    `The schedule of function "tick" is not usable: ${problem}`,
  );
});
