import { describe, expect, test } from 'vitest';
import { createRouteConstraint } from '../../../../infra/local/http/route-constraints.ts';

describe('route constraints', () => {
  test.each([
    ['int', undefined, ['0', '-5', '+7', '2147483647'], ['2147483648', '1.5', '', 'x']],
    ['long', undefined, ['9223372036854775807'], ['9223372036854775808', '1e3']],
    ['bool', undefined, ['true', 'False'], ['1', 'yes']],
    ['datetime', undefined, ['2026-11-01', '2026-11-01T10:00:00Z'], ['tomorrow', 'x']],
    ['decimal', undefined, ['1', '-1.5', '.5'], ['1e3', 'x']],
    ['double', undefined, ['1e3', '-1.5'], ['x', '']],
    ['float', undefined, ['1.5'], ['x']],
    ['guid', undefined, ['0F8FAD5B-D9CB-469F-A165-70867728950E'], ['0f8fad5b']],
    ['alpha', undefined, ['abC'], ['a1', 'é']],
    ['required', undefined, ['x'], ['']],
    ['length', '3', ['abc'], ['ab', 'abcd']],
    ['length', '1, 2', ['a', 'ab'], ['abc']],
    ['minlength', '2', ['ab'], ['a']],
    ['maxlength', '2', ['ab'], ['abc']],
    ['min', '18', ['18'], ['17', 'x']],
    ['max', '120', ['120'], ['121', '1.0']],
    ['range', '18,120', ['18', '120'], ['17', '121']],
    ['regex', '^\\d{3}$', ['123'], ['12', '1234']],
    ['REGEX', 'a', ['bAb'], ['b']],
  ])('%s(%s) tells its values from others', (name, argument, accepted, refused) => {
    const isMet = createRouteConstraint(name, argument);

    expect(accepted.filter((value) => !isMet(value))).toEqual([]);
    expect(refused.filter((value) => isMet(value))).toEqual([]);
  });
});
