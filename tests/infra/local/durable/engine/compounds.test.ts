import { expect, test } from 'vitest';
import { activityRuns, isGateWaiting, openGate, waitingGates } from '../fixture/orchestrations.ts';
import { aHost, eventually } from '../fixture/test-host.ts';

const waiting = (...keys: string[]) => eventually(() => keys.every(isGateWaiting) || undefined);

test('Task.all gives the results in the order of the tasks, whatever order they end in', async () => {
  const host = await aHost();
  const id = await host.begin('gates', { keys: ['x', 'y', 'z'] });
  await waiting('x', 'y', 'z');

  for (const key of ['z', 'x', 'y']) openGate(key);

  expect((await host.end(id)).output).toEqual(['x', 'y', 'z']);
});

test('after Task.any the instance stays Running until the loser ended too', async () => {
  const host = await aHost();
  const id = await host.begin('firstGate', { keys: ['fast', 'slow'] });
  await waiting('fast', 'slow');

  openGate('fast');
  await eventually(async () => (await host.historyOf(id)).includes('TaskCompleted') || undefined);
  const afterWinner = await host.status(id);
  openGate('slow');
  const end = await host.end(id);

  expect(afterWinner.runtimeStatus).toBe('Running');
  expect(end).toMatchObject({ runtimeStatus: 'Completed', output: 'fast' });
});

test('nested compounds finish when their parts do and the next task gets its own result', async () => {
  const host = await aHost();
  await host.begin('nested', {}, 'n');
  await waiting('n.a', 'n.b', 'n.c');

  openGate('n.b');
  openGate('n.c');
  await eventually(() => activityRuns.includes('"after"') || undefined);
  openGate('n.a');

  expect((await host.end('n')).output).toEqual(['n.b', 'n.c', 'after']);
});

test('no more activities run at once than allowed, and all of them run', async () => {
  const host = await aHost({ options: { maxConcurrentActivities: 3 } });
  const keys = Array.from({ length: 10 }, (_, index) => `limited.${index}`);
  const id = await host.begin('gates', { keys });
  let most = 0;

  for (const key of keys) {
    await waiting(key);
    most = Math.max(most, waitingGates());
    openGate(key);
  }

  expect((await host.end(id)).output).toEqual(keys);
  expect(most).toBe(3);
});

test('in any seeded order of completions the result is the same', async () => {
  const orders = new Set<string>();
  for (const shuffleSeed of [1, 2, 3, 4, 5]) {
    const host = await aHost({ options: { shuffleSeed, maxConcurrentActivities: 1 } });
    const keys = ['p', 'q', 'r', 's'].map((key) => `${shuffleSeed}.${key}`);
    const before = activityRuns.length;
    const id = await host.begin('gates', { keys });
    for (const _ of keys) {
      const next = await eventually(() => keys.find(isGateWaiting));
      openGate(next);
    }

    expect((await host.end(id)).output).toEqual(keys);
    orders.add(
      activityRuns
        .slice(before)
        .map((key) => key.slice(2))
        .join(),
    );
  }

  expect(orders.size).toBeGreaterThan(1);
});
