import { expect, test } from 'vitest';
import { frozen } from '../../../../infra/stores/memory/frozen.ts';
import { unusualJson } from '../../../contracts/unusual-json.ts';

test('the copy is equal, apart from the original and frozen to its depths', () => {
  const original = { list: [{ name: 'kept' }] };

  const copy = frozen(original);
  original.list.push({ name: 'added' });

  expect(copy).toEqual({ list: [{ name: 'kept' }] });
  expect(Object.isFrozen(copy.list[0])).toBe(true);
  expect(() => copy.list.push({ name: 'added' })).toThrow(TypeError);
});

test('unusual JSON is copied as it is', () => {
  expect(JSON.stringify(frozen(unusualJson))).toBe(JSON.stringify(unusualJson));
});

test('what is frozen already is not copied again', () => {
  const copy = frozen({ inner: { name: 'kept' } });

  expect(frozen(copy)).toBe(copy);
  expect(frozen(copy.inner)).toBe(copy.inner);
});

test('what somebody else has frozen is copied, because it may be open further down', () => {
  const open = Object.freeze({ inner: { name: 'kept' } });

  const copy = frozen(open);
  open.inner.name = 'changed';

  expect(copy.inner.name).toBe('kept');
});
