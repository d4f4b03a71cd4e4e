import { expect, test } from 'vitest';
import { parseEnvFile } from '../../../../infra/local/settings/env-file.ts';

test.each([
  ['PORT=8080', '8080'],
  ['PORT: 8080', '8080'],
  ['export PORT = 8080 # the port', '8080'],
  ['PORT="80 80"', '80 80'],
  ["PORT: '80#80' # quoted", '80#80'],
  ['PORT="a\\nb\\"c\\\\"', 'a\nb"c\\'],
  ["PORT='a\\nb'", 'a\\nb'],
  ['PORT=a#b', 'a#b'],
  ['PORT=', ''],
  ['PORT: ', ''],
  ['PORT=mongodb://user:pass@host:1/?x=y', 'mongodb://user:pass@host:1/?x=y'],
  ['PORT: http://host:1', 'http://host:1'],
])('the line %s sets a value', (line, value) => {
  expect(parseEnvFile(line)).toEqual({ values: { PORT: value }, badLines: [] });
});

test('comments and empty lines are passed over, other lines are named', () => {
  const text = '\uFEFF# settings\r\n\r\nA=1\r\nnonsense\r\nB="open\r\nA=2\r\n';

  expect(parseEnvFile(text)).toEqual({ values: { A: '2' }, badLines: [4, 5] });
});
