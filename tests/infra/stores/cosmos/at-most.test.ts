import { expect, test, vi } from 'vitest';
import { AtMost } from '../../../../infra/stores/cosmos/at-most.ts';

test('only so much work goes on at once, and all of it is done in its order', async () => {
  const atMost = new AtMost(3, 60_000);
  const done: number[] = [];
  let going = 0;
  let most = 0;

  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      atMost.run(async () => {
        going += 1;
        most = Math.max(most, going);
        await new Promise(setImmediate);
        going -= 1;
        done.push(n);
      }),
    ),
  );

  expect(most).toBe(3);
  expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test('work that fails makes room for the next', async () => {
  const atMost = new AtMost(1, 60_000);

  const failing = atMost.run(() => Promise.reject(new Error('no')));
  const next = atMost.run(async () => 'done');

  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('work whose turn comes too late is not done any more', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const atMost = new AtMost(1, 1_000);
  const first = atMost.run(() => new Promise<void>((resolve) => setImmediate(resolve)));
  let isDone = false;
  const late = atMost.run(async () => {
    isDone = true;
  });

  clock.mockReturnValue(1_001);
  await first;

  await expect(late).rejects.toThrow('The request waited for 1001 ms.');
  expect(isDone).toBe(false);
  clock.mockRestore();
});
