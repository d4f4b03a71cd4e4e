import { expect, test } from 'vitest';
import { refuseNodeVersion } from '../../../../infra/local/settings/node-version.ts';

test.each(['22.19.0', '22.20.1', '24.0.0', '100.0.0'])('Node.js %s is recent enough', (version) => {
  expect(refuseNodeVersion(version)).toBeUndefined();
});

test.each(['20.20.2', '22.18.9', '9.99.99'])(
  'Node.js %s is refused with what is needed',
  (version) => {
    expect(refuseNodeVersion(version)).toBe(
      `Theobroma needs Node.js 22.19.0 or later; this is ${version}.`,
    );
  },
);
