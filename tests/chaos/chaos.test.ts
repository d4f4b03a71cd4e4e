/** The short form of the chaos suite; tests/chaos/run.ts is the long one. */

import { expect, test } from 'vitest';
import { wreak } from './chaos.ts';

test('killed again and again, every execution ends as it does in peace: nothing recorded runs again, no answer is lost, repetitions are marked', async () => {
  const seed = Date.now() % 1_000_000;

  const { wrong, kills, executions } = await wreak({ seed, runs: 6, kills: 6 });

  // The seed is among the values so that a failure names it.
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(kills).toBe(6);
  expect(executions).toBeGreaterThanOrEqual(6);
}, 120_000);
