import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHostDatabase } from '../../../infra/local/host-database.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'host-database-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('what is remembered of a timer survives a restart', () => {
  const state = { schedule: '0 0 * * * *', lastMs: undefined, nextMs: 2, updatedMs: 1 };
  const first = openHostDatabase(join(directory, 'deep', 'data'));
  first.timers.save('tick', { ...state, nextMs: 1 });
  first.timers.save('tick', state);
  first.close();

  const second = openHostDatabase(join(directory, 'deep', 'data'));

  expect(second.timers.load('tick')).toEqual(state);
  expect(second.timers.load('tock')).toBeUndefined();
  second.close();
});

test('a run that outlives the host is not remembered and does no harm', () => {
  const database = openHostDatabase(directory);
  database.close();

  database.timers.save('tick', { schedule: '', lastMs: 1, nextMs: 2, updatedMs: 1 });
});

test('a second host on the same directory is refused', () => {
  const first = openHostDatabase(directory);

  expect(() => openHostDatabase(directory)).toThrow(
    `The data directory ${directory} cannot be used: another instance is using it.`,
  );
  first.close();
});

test('a directory that cannot be made is refused by name', () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');

  expect(() => openHostDatabase(join(file, 'data'))).toThrow(
    /^The data directory .* cannot be used/,
  );
});
