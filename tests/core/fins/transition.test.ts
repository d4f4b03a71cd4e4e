import { describe, expect, test } from 'vitest';
import { applyEvent, type FinEvent, transition } from '../../../core/fins/transition.ts';
import { aFin, finId } from '../../support/a-fin.ts';

const outcomes: readonly (readonly [FinEvent, string, string, string])[] = [
  ['registered', 'ready', 'ready', 'ready'],
  ['heard', 'ready', 'ready', 'stopped'],
  ['silent', 'failed', 'failed', 'stopped'],
  ['refused', 'failed', 'failed', 'stopped'],
  ['cut-off', 'failed', 'failed', 'stopped'],
  ['stopped', 'stopped', 'stopped', 'stopped'],
];

describe('a fin', () => {
  test.each(outcomes)(
    'that is %s becomes %s when ready, %s when failed, %s when stopped',
    (event, ...expected) => {
      const states = (['ready', 'failed', 'stopped'] as const).map((state) =>
        transition(state, event),
      );

      expect(states).toEqual(expected);
    },
  );

  test('changes its state in the registry, which stays the same when there is no change', () => {
    const fins = [aFin('a'), aFin('b')];

    expect(applyEvent(fins, finId('fin-b'), 'silent')).toEqual([
      aFin('a'),
      aFin('b', { state: 'failed' }),
    ]);
    expect(applyEvent(fins, finId('fin-b'), 'heard')).toBe(fins);
    expect(applyEvent(fins, finId('nobody'), 'silent')).toBe(fins);
  });
});
