/** VALIDATION_SCHEMA_URL against a real HTTP server. */

import { afterEach, expect, test } from 'vitest';
import { openCustomSchema } from '../../../infra/validation/custom-schema-source.ts';
import { until } from '../../support/client.ts';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.ts';
import { noLog } from '../../support/no-log.ts';

let target: HttpTarget | undefined;
afterEach(() => target?.close());

const needing = (member: string) => JSON.stringify({ type: 'object', required: [member] });

test('the schema in force is the one fetched at start, and a refreshed one after an hour', async () => {
  let schema = needing('x-first');
  target = await startHttpTarget(() => ({ body: schema }));
  let nowMs = 0;
  const clock = { now: () => nowMs };
  const source = await openCustomSchema(`${target.url}/s.json`, { clock, log: noLog });

  schema = needing('x-second');
  const before = source.current()({ 'x-first': 1 });
  nowMs += 3_600_001;
  source.current();

  expect(before).toEqual([]);
  await until(
    async () => source.current()({ 'x-second': 1 }),
    (problems) => problems.length === 0,
  );
});

test('a refresh that fails keeps the last good schema', async () => {
  let status = 200;
  target = await startHttpTarget(() => ({ status, body: needing('x-first') }));
  let nowMs = 0;
  const source = await openCustomSchema(target.url, { clock: { now: () => nowMs }, log: noLog });

  status = 500;
  nowMs += 3_600_001;
  source.current();
  await until(
    async () => target?.received.length,
    (count) => count === 2,
  );

  expect(source.current()({ 'x-first': 1 })).toEqual([]);
  expect(source.current()({})).toHaveLength(1);
});

test.each([
  ['an error', { status: 404 }],
  ['no JSON', { body: '<html>' }],
  ['a list', { body: '[]' }],
  ['a schema that is not one', { body: '{"type":"nonsense"}' }],
])('%s stops the start and names the setting', async (_, reaction) => {
  target = await startHttpTarget(() => reaction);

  const opened = openCustomSchema(target.url, { clock: { now: () => 0 }, log: noLog });

  await expect(opened).rejects.toThrow(/VALIDATION_SCHEMA_URL/);
});
