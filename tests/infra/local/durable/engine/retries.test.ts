import { expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import { aHost } from '../fixture/test-host.ts';

test('an activity is tried again until it succeeds, and later tasks get their own results', async () => {
  const host = await aHost();

  const { output } = await host.run('retry', { key: 'third', failures: 2, attempts: 3 });

  expect(output).toEqual(['ok third', 'after']);
});

test('after the last attempt the error is thrown and later tasks get their own results', async () => {
  const host = await aHost();

  const { output } = await host.run('retry', { key: 'hopeless', failures: 9, attempts: 2 });

  expect(output).toEqual(["Activity function 'flaky' failed: 8 failures left", 'after failure']);
});

test('a single attempt is followed by the timer that both sides count', async () => {
  const host = await aHost();

  const { output, instanceId } = await host.run('retry', { key: 'once', failures: 1, attempts: 1 });

  expect(output).toEqual(["Activity function 'flaky' failed: 1 failures left", 'after failure']);
  const kinds = await host.historyOf(instanceId);
  expect(kinds.filter((kind) => kind === 'TimerCreated')).toHaveLength(1);
});
