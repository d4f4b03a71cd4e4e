import { expect, test } from 'vitest';
import { toTimeSpan } from '../../../../../infra/local/durable/protocol/timer-limits.ts';

test.each([
  [6 * 86_400_000, '6.00:00:00.000'],
  [60, '0.00:00:00.060'],
  [93_784_005, '1.02:03:04.005'],
])('%i ms are written as %s', (durationMs, text) => {
  expect(toTimeSpan(durationMs)).toBe(text);
});
