/** Timer functions over the real library in a real host. */

import { afterAll, expect, test } from 'vitest';
import { eventually, fixtureApp, removeTemporary, startHostProcess } from '../host-process.ts';

afterAll(removeTemporary);

test('timers run on their schedule and at the start, and are told about it', async () => {
  const host = await startHostProcess(fixtureApp('timer-app'), { TICK: '* * * * * *', TZ: 'UTC' });
  const ask = async () => (await fetch(`${host.url}/api/runs`)).json() as Promise<unknown[]>;

  const runs = await eventually(async () => {
    const all = await ask();
    return all.length >= 3 ? all : undefined;
  });
  await host.stop();

  const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T03:00:00\.000Z$/);
  expect(runs.slice(0, 2)).toEqual([
    {
      daily: {
        schedule: { adjustForDST: true },
        scheduleStatus: { last: '0001-01-01T00:00:00', next: iso, lastUpdated: expect.any(String) },
        isPastDue: false,
      },
    },
    { schedule: { adjustForDST: true }, scheduleStatus: null, isPastDue: false },
  ]);
});
