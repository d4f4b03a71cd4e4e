import { describe, expect, test } from 'vitest';
import { fromTypedData, settleLiveValue } from '../../../../infra/local/worker/typed-data.ts';

describe('what a function returned', () => {
  test.each([
    [undefined, null],
    [null, null],
    [{ string: '{"a":1}' }, '{"a":1}'],
    [{ string: '' }, ''],
    [{ json: '{"a":[1,null]}' }, { a: [1, null] }],
    [{ json: 'false' }, false],
    [{ int: 0 }, 0],
    [{ double: 1.5 }, 1.5],
    [{ bytes: Buffer.from('abc') }, 'YWJj'],
    [{ stream: new Uint8Array([97]) }, 'YQ=='],
  ])('the typed data %j is read as %j', (data, value) => {
    expect(fromTypedData(data)).toEqual(value);
  });

  test('a live value becomes what the journey would have made of it', () => {
    const object = { a: 1 };

    expect(settleLiveValue(undefined)).toBeNull();
    expect(settleLiveValue(new Uint8Array([97, 98, 99]).subarray(1))).toBe('YmM=');
    expect(settleLiveValue(new Uint8Array([97]).buffer)).toBe('YQ==');
    expect(settleLiveValue(object)).toBe(object);
  });
});
