import { expect, test } from 'vitest';
import { accepted, done, refused } from '../../../core/errors/result.ts';

test('a result tells what came of an operation or names the reason it was refused', () => {
  expect([accepted(7), done, refused('playbook-missing')]).toEqual([
    { ok: true, value: 7 },
    { ok: true, value: undefined },
    { ok: false, code: 'playbook-missing' },
  ]);
});
