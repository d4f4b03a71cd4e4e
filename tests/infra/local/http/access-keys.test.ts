import { describe, expect, test } from 'vitest';
import { createAccessKeys } from '../../../../infra/local/http/access-keys.ts';

describe('access keys', () => {
  const keys = createAccessKeys(['one', 'two'], 'master');

  test('anonymous functions need no key', () => {
    expect(keys.opens('anonymous', undefined)).toBe(true);
  });

  test('each function key and the master key open functions of level function', () => {
    expect(['one', 'two', 'master'].map((key) => keys.opens('function', key))).toEqual([
      true,
      true,
      true,
    ]);
    expect([undefined, '', 'One', 'onetwo'].map((key) => keys.opens('function', key))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('only the master key opens functions of level admin', () => {
    expect(['one', 'master'].map((key) => keys.opens('admin', key))).toEqual([false, true]);
  });

  test('without configured keys nobody gets in', () => {
    expect(createAccessKeys([], undefined).opens('function', '')).toBe(false);
  });
});
