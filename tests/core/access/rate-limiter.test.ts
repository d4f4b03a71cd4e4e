import { expect, test } from 'vitest';
import { RateLimiter } from '../../../core/access/rate-limiter.ts';
import type { Refusal } from '../../../core/errors/refusal.ts';

function aLimiter(perMinute: number) {
  let nowMs = 0;
  const limiter = new RateLimiter(perMinute, { now: () => nowMs });
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Undefined when the call is allowed, else the refusal. */
    call: (caller: string) => {
      try {
        limiter.count(caller);
        return undefined;
      } catch (error) {
        return error as Refusal;
      }
    },
  };
}

test('a caller may ask as often as the limit says within a minute, and others are not concerned', () => {
  const { call } = aLimiter(3);

  expect([call('a'), call('a'), call('a')]).toEqual([undefined, undefined, undefined]);
  const refused = call('a');
  expect(refused?.code).toBe('rate-limited');
  expect(refused?.extra.headers).toEqual({ 'retry-after': '20' });
  expect(call('b')).toBe(undefined);
});

test('calls come back steadily, and never more than a minute holds', () => {
  const { call, pass } = aLimiter(60);
  for (let count = 0; count < 60; count += 1) call('a');

  pass(2_000);
  const after = [call('a'), call('a'), call('a')];
  pass(3_600_000);
  const later = Array.from({ length: 61 }, () => call('a'));

  expect(after.map((refusal) => refusal?.code)).toEqual([undefined, undefined, 'rate-limited']);
  expect(later.filter((refusal) => refusal !== undefined)).toHaveLength(1);
});

test('0 sets no limit', () => {
  const { call } = aLimiter(0);

  expect(Array.from({ length: 1000 }, () => call('a')).every((r) => r === undefined)).toBe(true);
});
