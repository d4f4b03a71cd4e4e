import { describe, expect, test } from 'vitest';
import { Turns } from '../../../infra/fins/turns.ts';

const patient = new AbortController().signal;

describe('turns', () => {
  test('come in the order of asking, one at a time', async () => {
    const turns = new Turns();
    const order: number[] = [];

    await Promise.all(
      [1, 2, 3].map(async (n) => {
        expect(await turns.enter(patient)).toBe(true);
        order.push(n);
        await Promise.resolve();
        order.push(n);
        turns.leave();
      }),
    );

    expect(order).toEqual([1, 1, 2, 2, 3, 3]);
    expect(await turns.enter(patient)).toBe(true);
  });

  test('pass over whoever gave up waiting', async () => {
    const turns = new Turns();
    const impatient = new AbortController();
    await turns.enter(patient);
    const second = turns.enter(impatient.signal);
    const third = turns.enter(patient);

    impatient.abort();
    turns.leave();

    expect(await second).toBe(false);
    expect(await third).toBe(true);
    expect(await turns.enter(AbortSignal.abort())).toBe(false);
  });
});
