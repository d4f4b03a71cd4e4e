import { expect, test } from 'vitest';
import { splitPath } from '../../../../infra/local/http/request-path.ts';

test.each([
  ['/', []],
  ['/runs', ['runs']],
  ['/runs/', ['runs']],
  ['/runs//x', ['runs', '', 'x']],
  ['/a%20b/%C3%A9', ['a b', 'é']],
  ['/a%2Fb/c%2fd', ['a%2Fb', 'c%2fd']],
  ['/100%/%zz/%ff', ['100%', '%zz', '%ff']],
])('the path %s is split and decoded as far as possible', (path, segments) => {
  expect(splitPath(path)).toEqual(segments);
});
