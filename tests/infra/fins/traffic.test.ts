import { describe, expect, test } from 'vitest';
import { Traffic } from '../../../infra/fins/traffic.ts';

const ACK_MS = 10;

function aWork(step: string, generatedUs: number | undefined = 5_000_123) {
  return { executionId: 'e', stepId: step, generatedUs };
}

/** One command, seen at 0 and believed in until 100. */
function withOne(begun = false): Traffic {
  const traffic = new Traffic(ACK_MS);
  traffic.add({ messageId: 'one', work: aWork('one'), begun, untilMs: 100 }, 0);
  return traffic;
}

describe('commands of others with a fin', () => {
  test('keep it busy for as long as it may take to acknowledge them', () => {
    const traffic = withOne();

    expect(traffic.busyUntil(1)).toBe(10);
    expect(traffic.workingUntil(1)).toBeUndefined();
    expect(traffic.busyUntil(10)).toBeUndefined();
  });

  test('keep it at work once begun, until their result or until nobody believes in them', () => {
    const traffic = withOne();

    expect(traffic.begin('one')).toBe(true);
    expect(traffic.begin('other')).toBe(false);

    expect(traffic.workingUntil(50)).toBe(100);
    expect(traffic.busyUntil(50)).toBe(100);
    expect(traffic.workingUntil(100)).toBeUndefined();
  });

  test('are over with their result, which may echo their time in milliseconds or not at all', () => {
    for (const us of [5_000_123, 5_000_000, undefined]) {
      const traffic = withOne(true);

      traffic.finish(aWork('one', us), 20);

      expect(traffic.workingUntil(20)).toBeUndefined();
      expect(traffic.lastFinishedMs).toBe(20);
    }
  });

  test('are not over with the result of another command', () => {
    const traffic = withOne(true);

    traffic.finish(aWork('two'), 20);
    traffic.finish(aWork('one', 7_000_000), 20);

    expect(traffic.workingUntil(20)).toBe(100);
    expect(traffic.has(aWork('one'))).toBe(true);
    expect(traffic.has(aWork('one', 7_000_000))).toBe(false);
  });

  test('that wait behind another one get their time when it is over', () => {
    const traffic = withOne(true);
    traffic.add({ messageId: 'two', work: aWork('two'), begun: false, untilMs: 100 }, 1);
    expect(traffic.busyUntil(90)).toBe(100);

    traffic.finish(aWork('one'), 50);

    expect(traffic.busyUntil(51)).toBe(60);
  });

  test('that are refused, or lost with the fin, keep nobody waiting', () => {
    const refused = withOne();
    const lost = withOne(true);

    expect(refused.refuse('one', 2)).toBe(true);
    expect(refused.refuse('one', 2)).toBe(false);
    lost.clear();

    expect(refused.busyUntil(2)).toBeUndefined();
    expect(lost.busyUntil(2)).toBeUndefined();
  });
});
