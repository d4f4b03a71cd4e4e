import { expect, test } from 'vitest';
import {
  Stamps,
  stampAgeMs,
  stampOf,
  startOrder,
} from '../../../../infra/stores/documents/stamps.ts';

test('stamps sort in the order they were made, however fast', () => {
  const stamps = new Stamps();
  const made = Array.from({ length: 5_000 }, () => stamps.next());

  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(5_000);
});

test('a stamp can be made to sort behind one of another process', () => {
  const [fast, slow] = [new Stamps(), new Stamps()];
  const first = Array.from({ length: 50_000 }, () => fast.next()).at(-1) ?? '';

  expect(slow.next() > first).toBe(false);
  expect(slow.next(first) > first).toBe(true);
});

test('runs sort by their start first', () => {
  const stamps = new Stamps();
  const [earlier, later] = [stamps.next(), stamps.next()];

  expect(startOrder(999, later) < startOrder(1_000, earlier)).toBe(true);
  expect(startOrder(1_000, earlier) < startOrder(1_000, later)).toBe(true);
  expect(stampOf(startOrder(1_000, later))).toBe(later);
});

test('a stamp tells its age', () => {
  const stamp = new Stamps().next();

  expect(stampAgeMs(stamp, Date.now() + 60_000)).toBeGreaterThan(59_000);
  expect(stampAgeMs(stamp, Date.now() + 60_000)).toBeLessThan(61_000);
});
