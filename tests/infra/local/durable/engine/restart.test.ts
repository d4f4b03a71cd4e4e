import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import {
  DatabaseInUse,
  openDatabase,
} from '../../../../../infra/local/durable/store/open-database.ts';
import { appCaller } from '../fixture/functions-app.ts';
import { activityRuns, isGateWaiting, openGate } from '../fixture/orchestrations.ts';
import { aHost, eventually, TestHost } from '../fixture/test-host.ts';

const waiting = (key: string) => eventually(() => isGateWaiting(key) || undefined);
const runsOf = (key: string) => activityRuns.filter((run) => run === key).length;

test('after a restart a finished activity does not run again and an unfinished one does', async () => {
  const host = await aHost();
  const id = await host.begin('gatesInTurn', { keys: ['done', 'open'] });
  await waiting('done');
  openGate('done');
  await waiting('open');

  await host.reopen();
  await eventually(() => runsOf('open') === 2 || undefined);
  openGate('open');

  expect((await host.end(id)).output).toBe('done');
  expect(runsOf('done')).toBe(1);
});

test('a stop waits for running activities and records what they returned', async () => {
  const host = await aHost();
  const id = await host.begin('gatesInTurn', { keys: ['slow to stop'] });
  await waiting('slow to stop');

  const stopping = host.stop(5000);
  openGate('slow to stop');
  await stopping;
  await host.reopen();

  expect((await host.end(id)).output).toBe('done');
  expect(runsOf('slow to stop')).toBe(1);
});

test('a stop does not wait longer than its deadline; the activity runs again later', async () => {
  const host = await aHost();
  const id = await host.begin('gatesInTurn', { keys: ['too slow'] });
  await waiting('too slow');

  await host.stop(10);
  openGate('too slow', 'too late');
  await host.reopen();
  await eventually(() => runsOf('too slow') === 2 || undefined);
  openGate('too slow');

  expect((await host.end(id)).output).toBe('done');
});

test('events, timers and a suspension survive a restart', async () => {
  const host = await aHost();
  const waiter = await host.begin('waitFor', { names: ['one', 'two'] });
  const sleeper = await host.begin('sleep', { forMs: 150 });
  await host.raise(waiter, 'one', 1);
  await host.send('POST', `instances/${waiter}/suspend?reason=`);
  await host.until(waiter, ({ runtimeStatus }) => runtimeStatus === 'Suspended');

  await host.reopen();
  await host.raise(waiter, 'two', 2);
  await host.send('POST', `instances/${waiter}/resume?reason=`);

  expect((await host.end(waiter)).output).toEqual([1, 2]);
  expect((await host.end(sleeper)).output).toBe('awake');
});

test('an instance whose orchestrator is missing waits until the app has it again', async () => {
  const host = await aHost();
  const id = await host.begin('waitFor', { names: ['go'] });
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');
  const whole = appCaller();
  const without = { ...whole, orchestrators: new Set<string>() };

  await host.reopen({ caller: without });
  await host.raise(id, 'go', 1);
  await eventually(() => host.log.lines.find(({ event }) => event === 'durable.episode_failed'));
  const orphaned = await host.status(id);
  await host.reopen({ caller: whole });

  expect(orphaned.runtimeStatus).toBe('Running');
  expect((await host.end(id)).output).toEqual([1]);
});

test('a second engine on the same database is refused with a clear message', async () => {
  const host = await aHost();
  const second = new TestHost(host.databasePath, {});

  const refusal = await second.open().catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(DatabaseInUse);
  expect((refusal as Error).message).toBe(
    `The durable database ${host.databasePath} is in use by another process. ` +
      'Stop that process, or give this one a database of its own.',
  );
  expect((await host.run('sequence', { steps: [1] })).output).toEqual([1]);
});

test('a database written by a newer release is left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'durable-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'deep', 'durable.db');
  openDatabase(path, 'FULL').close();
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();

  expect(() => openDatabase(path, 'FULL')).toThrow('was written by a newer release');
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('calls to an engine that is not running are answered 503', async () => {
  const host = await aHost();
  await host.stop();

  expect((await host.send('GET', 'instances')).status).toBe(503);
});

test('a start that waits for the end is answered with the links when the engine stops', async () => {
  const host = await aHost();
  const waiting = host.send('POST', 'orchestrators/waitFor?timeout=60', { names: ['go'] });

  await host.stop();

  expect((await waiting).status).toBe(202);
});
