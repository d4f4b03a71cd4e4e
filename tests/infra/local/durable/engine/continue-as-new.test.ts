import { expect, test } from 'vitest';
import { isGateWaiting, openGate } from '../fixture/orchestrations.ts';
import { aHost, eventually } from '../fixture/test-host.ts';

test('generations follow each other and only the last one has a history', async () => {
  const host = await aHost();

  const status = await host.run('generations', { left: 23, per: 5 });

  expect(status).toMatchObject({ runtimeStatus: 'Completed', output: 23 });
  const kinds = await host.historyOf(status.instanceId);
  expect(kinds.filter((kind) => kind === 'TaskCompleted')).toHaveLength(3);
  expect(status.input).toEqual({ left: 3, per: 5, done: 20 });
});

test('events that arrive with the one that ended a generation go to the next', async () => {
  const host = await aHost();
  const id = await host.begin('eventPerGeneration', { wanted: 3 });
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');

  await Promise.all([1, 2, 3].map((item) => host.raise(id, 'item', item)));

  expect((await host.end(id)).output).toEqual([1, 2, 3]);
});

test('carried events stay ahead of those that come later', async () => {
  const host = await aHost();
  const id = await host.begin('eventPerGeneration', { wanted: 40 });
  const items = Array.from({ length: 40 }, (_, index) => index);

  for (const item of items) await host.raise(id, 'item', item);

  expect((await host.end(id)).output).toEqual(items);
});

test('events that were queued before the wait are dropped with their generation, as on Azure', async () => {
  const host = await aHost();
  const id = await host.begin('gatedEvents', { key: 'queue' });
  await eventually(() => isGateWaiting('queue.0') || undefined);
  await host.raise(id, 'item', 'kept');
  await host.raise(id, 'item', 'lost');
  await eventually(async () => {
    const kinds = await host.historyOf(id);
    return kinds.filter((kind) => kind === 'EventRaised').length === 2 || undefined;
  });

  openGate('queue.0');
  await eventually(() => isGateWaiting('queue.1') || undefined);
  await host.raise(id, 'item', 'new');
  openGate('queue.1');

  expect((await host.end(id)).output).toEqual(['kept', 'new']);
});

test('a custom status set just before continueAsNew is gone after the first later episode', async () => {
  const host = await aHost();
  const id = await host.begin('statusOnce', { round: 1 });

  const status = await host.until(id, ({ input }) => (input as { round: number }).round === 2);
  const later = await host.until(id, ({ customStatus }) => customStatus === null);

  expect(status.runtimeStatus).toBe('Running');
  expect(later.runtimeStatus).toBe('Running');
});
