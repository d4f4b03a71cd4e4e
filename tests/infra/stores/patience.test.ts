import { describe, expect, test } from 'vitest';
import { patiently, type Trouble } from '../../../infra/stores/patience.ts';

class Failure extends Error {
  readonly trouble: Trouble | undefined;

  constructor(trouble: Trouble | undefined) {
    super('failed');
    this.trouble = trouble;
  }
}

/** A request that meets these troubles, one after the other, before it succeeds. */
function meeting(...troubles: readonly (Trouble | undefined)[]) {
  const left = [...troubles];
  const waits: number[] = [];
  const attempts: boolean[] = [];
  const answer = patiently(
    async (isRepeated) => {
      attempts.push(isRepeated);
      if (left.length > 0) throw new Failure(left.shift());
      return 'done';
    },
    {
      troubleOf: (error) => (error instanceof Failure ? error.trouble : undefined),
      sleep: async (ms) => void waits.push(ms),
    },
  );
  return { answer, waits, attempts };
}

const busy = { kind: 'busy' } as const;
const interrupted = { kind: 'interrupted' } as const;
const away = { kind: 'away', reason: 'gone' } as const;

describe('a request to a database', () => {
  test('that is too busy is repeated when the database says so, or a little later', async () => {
    const { answer, waits, attempts } = meeting({ ...busy, retryAfterMs: 400 }, busy);

    expect(await answer).toBe('done');
    expect(attempts).toEqual([false, false, false]);
    expect(waits[0]).toBeGreaterThanOrEqual(400);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeLessThan(130);
  });

  test('waits longer and longer where the database gives no hint, but not for ever', async () => {
    const { answer, waits } = meeting(...Array.from({ length: 100 }, () => busy));

    await expect(answer).rejects.toMatchObject({ name: 'StillBusy', cause: { message: 'failed' } });
    const total = waits.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeGreaterThan(7_000);
    expect(total).toBeLessThan(12_500);
    expect(waits.length).toBeLessThan(15);
  });

  test('that gives a hint longer than anybody would wait is not repeated', async () => {
    const { answer, waits } = meeting({ ...busy, retryAfterMs: 60_000 });

    await expect(answer).rejects.toMatchObject({ name: 'StillBusy' });
    expect(waits).toEqual([]);
  });

  test('that got lost with its connection is repeated at once, knowing that it may have arrived', async () => {
    const { answer, waits, attempts } = meeting(interrupted);

    expect(await answer).toBe('done');
    expect(attempts).toEqual([false, true]);
    expect(waits).toEqual([]);
  });

  test('gives up when connections break again and again', async () => {
    const { answer, attempts } = meeting(interrupted, interrupted, interrupted, interrupted);

    await expect(answer).rejects.toThrow('failed');
    expect(attempts).toHaveLength(4);
  });

  test('is not repeated when the database is away, or when it was wrong', async () => {
    for (const trouble of [away, undefined]) {
      const { answer, attempts } = meeting(trouble);

      await expect(answer).rejects.toThrow('failed');
      expect(attempts).toHaveLength(1);
    }
  });
});
