import { expect, test } from 'vitest';
import { readPort } from '../../../../infra/capabilities/addressing/port.ts';

test.each([
  ['1', 1],
  [' 8080 ', 8080],
  [65_535, 65_535],
  ['', undefined],
  [' ', undefined],
  [undefined, undefined],
])('%j is read as port %j', (given, port) => {
  expect(readPort(given)).toEqual({ ok: true, port });
});

test.each(['0', 65_536, '-1', '1e3', '80/tcp', 1.5, '000080'])('%j is refused', (given) => {
  expect(readPort(given)).toEqual({
    ok: false,
    reason: `The port must be a number from 1 to 65535, not "${given}".`,
  });
});
