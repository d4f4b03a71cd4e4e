import { expect, test } from 'vitest';
import { decodeTimestamp, encodeTimestamp } from '../../../../infra/fins/protocol/timestamp.ts';

const secondMs = Date.UTC(2026, 1, 3, 10, 11, 13);

test('a timestamp has six decimals and an offset, and is read as it was written', () => {
  const us = secondMs * 1_000 + 120_034;

  expect(encodeTimestamp(us)).toBe('2026-02-03T10:11:13.120034+00:00');
  expect(decodeTimestamp(encodeTimestamp(us))).toBe(us);
});

test.each([
  ['2026-02-03T10:11:13Z', 0],
  ['2026-02-03T10:11:13.5+00:00', 500_000],
  ['2026-02-03T12:11:13.120034+02:00', 120_034],
  ['2026-02-03T10:11:13.1200349Z', 120_034],
])('%s is read, too', (text, us) => {
  expect(decodeTimestamp(text)).toBe(secondMs * 1_000 + us);
});

test.each(['', 'yesterday', '2026-13-01T00:00:00Z'])('"%s" is none', (text) => {
  expect(decodeTimestamp(text)).toBeUndefined();
});
