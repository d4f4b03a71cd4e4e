/** What a turn tells the durable driver: short waits, and names of orchestrations that fit. */

import { describe, expect, test } from 'vitest';
import {
  branchWalk,
  type ExecutionId,
  mainWalk,
  walkLineage,
} from '../../../../core/execution/ids.ts';
import { instanceIdOf, longestWaitMs, waitUntil } from '../../../../core/execution/turn/order.ts';

const execution = '00000000-0000-4000-8000-000000000001' as ExecutionId;

describe('a wait', () => {
  test('is never longer than an hour, so that a lost wake-up costs no more', () => {
    expect(waitUntil(3, 10 * longestWaitMs, 0)).toEqual({ do: 'wait', turn: 3, forMs: 3_600_000 });
  });

  test('is never shorter than a millisecond', () => {
    expect(waitUntil(3, 0, 50)).toEqual({ do: 'wait', turn: 3, forMs: 1 });
  });
});

describe('an orchestration', () => {
  test('of the main walk is called like the execution', () => {
    expect(instanceIdOf(execution, mainWalk)).toBe(execution);
  });

  test('of a branch has a name of its own, at most a hundred characters long', () => {
    let deep = mainWalk;
    for (let depth = 0; depth < 30; depth += 1) deep = branchWalk(deep, 10_000 + depth, depth);
    const other = branchWalk(deep, 1, 0);

    expect(instanceIdOf(execution, branchWalk(mainWalk, 7, 1))).toBe(`${execution}.w.7-1`);
    expect(instanceIdOf(execution, deep).length).toBeLessThanOrEqual(100);
    expect(instanceIdOf(execution, deep)).not.toBe(instanceIdOf(execution, other));
    expect(instanceIdOf(execution, deep)).toBe(instanceIdOf(execution, deep));
  });
});

test('a branch knows the walks it was forked from, outermost first', () => {
  const inner = branchWalk(branchWalk(mainWalk, 7, 1), 2, 0);

  expect(walkLineage(inner)).toEqual(['w', 'w.7-1', 'w.7-1.2-0']);
});
