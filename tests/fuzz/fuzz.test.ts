/** The short form of the fuzz suite; tests/fuzz/run.ts is the long one. */

import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

/** What the service may grow by between the first fifth of the mutations and the last. */
const GROWTH_MB = 80;

test('a thousand broken playbooks meet no 5xx, leave nothing invalid in the store, and cost no memory', async () => {
  const seed = Date.now() % 1_000_000;

  const { wrong, stored, drafts, memoryMb } = await fuzz({ seed, mutations: 1_000 });

  // The seed is among the values so that a failure names it.
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(stored).toBeGreaterThan(50);
  expect(drafts).toBeGreaterThan(0);
  expect(memoryMb.late - memoryMb.early).toBeLessThan(GROWTH_MB);
}, 120_000);
