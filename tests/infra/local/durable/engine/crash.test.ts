import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import {
  DatabaseInUse,
  openDatabase,
} from '../../../../../infra/local/durable/store/open-database.ts';
import { aCrashSite } from '../fixture/crash-site.ts';
import { eventually } from '../fixture/test-host.ts';

test('killed again and again, every instance ends and no recorded activity runs twice', async () => {
  const site = aCrashSite(150);
  onTestFinished(site.clear);
  const recordedThatRanAgain: string[] = [];
  let recorded = new Set<string>();
  let notesBefore = 0;
  let kills = 0;

  for (const killAt of [20, 90, 170, 240, Number.POSITIVE_INFINITY]) {
    const app = site.start();
    const ended = once(app, 'exit');
    await eventually(() => site.notes().length >= killAt || app.exitCode !== null || undefined);
    app.kill('SIGKILL');
    await ended;
    if (app.signalCode === 'SIGKILL') kills += 1;

    const notes = site.notes();
    const sinceStart = notes.slice(notesBefore);
    recordedThatRanAgain.push(...sinceStart.filter((key) => recorded.has(key)));
    recorded = site.recordedActivities();
    notesBefore = notes.length;
  }

  expect(kills).toBeGreaterThanOrEqual(2);
  expect(site.outputs()).toEqual({ line: '150', fan: '150' });
  expect(new Set(site.notes()).size).toBe(300);
  expect(recordedThatRanAgain).toEqual([]);
}, 60_000);

test('a database that another process has open is refused', async () => {
  const site = aCrashSite(1000);
  onTestFinished(site.clear);
  const app = site.start();
  const ended = once(app, 'exit');
  await eventually(() => site.notes().length > 0 || undefined);

  expect(() => openDatabase(site.databasePath, 'NORMAL')).toThrow(DatabaseInUse);

  app.kill('SIGKILL');
  await ended;
});
