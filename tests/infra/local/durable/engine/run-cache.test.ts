import { expect, test } from 'vitest';
import { RunCache } from '../../../../../infra/local/durable/engine/run-cache.ts';
import { aRun } from '../fixture/a-run.ts';

test('a thousand waiting instances do not fill the cache: the ones used least recently go', () => {
  const cache = new RunCache();

  for (let number = 0; number < 1000; number += 1) cache.put(aRun({ id: String(number) }, 10));

  expect(cache.size).toBe(256);
  expect(cache.get('743')).toBe(undefined);
  expect(cache.get('744')).toBeDefined();
});

test('large histories push out others before their number would', () => {
  const cache = new RunCache();

  for (const id of ['a', 'b', 'c']) cache.put(aRun({ id }, 1_900_000));

  expect([cache.get('a'), cache.size]).toEqual([undefined, 2]);
});

test('an instance counts once, however often it is put', () => {
  const cache = new RunCache();
  cache.put(aRun({ id: 'other' }, 1_000_000));

  for (let round = 0; round < 10; round += 1) cache.put(aRun({ id: 'same' }, 2_000_000));

  expect(cache.size).toBe(2);
});
