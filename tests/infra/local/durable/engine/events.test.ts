import { expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import { aHost } from '../fixture/test-host.ts';

test('events that come before anyone waits are kept in order', async () => {
  const host = await aHost();
  const id = await host.begin('waitFor', { names: ['first', 'other', 'other'] });

  for (const [name, data] of [
    ['other', 1],
    ['other', { b: 2 }],
    ['first', null],
  ] as const) {
    expect((await host.raise(id, name, data)).status).toBe(202);
  }

  expect((await host.end(id)).output).toEqual([null, 1, { b: 2 }]);
});

test('the newest of several waiters gets the first event', async () => {
  const host = await aHost();
  const id = await host.begin('twoWaiters');

  await host.raise(id, 'go', 'first');
  await host.raise(id, 'go', 'second');

  expect((await host.end(id)).output).toEqual({ older: 'second', newer: 'first' });
});

test('an event in the wrong letter case wakes nobody and is gone', async () => {
  const host = await aHost();
  const id = await host.begin('waitFor', { names: ['go'] });

  await host.raise(id, 'GO', 1);
  await host.until(id, () => true);
  await host.raise(id, 'go', 2);

  expect((await host.end(id)).output).toEqual([2]);
});

test('a custom status is shown while the instance waits', async () => {
  const host = await aHost();
  const id = await host.begin('status', { status: { at: 'step 1' } });

  const status = await host.until(id, ({ customStatus }) => customStatus !== null);

  expect(status).toMatchObject({ runtimeStatus: 'Running', customStatus: { at: 'step 1' } });
});

test.each([0, false, '', null])('a custom status of %j counts as none', async (falsy) => {
  const host = await aHost();
  const id = await host.begin('status', { status: falsy });

  const status = await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');

  expect(status.customStatus).toBe(null);
});

test('more events than fit in one episode all arrive, in order', async () => {
  const host = await aHost({ options: { maxOrchestrationActions: 2000 } });
  const items = Array.from({ length: 1500 }, (_, index) => index);
  const id = await host.begin('waitFor', { names: items.map(() => 'item') });

  await Promise.all(items.map((item) => host.raise(id, 'item', item)));

  expect((await host.end(id)).output).toEqual(items);
});
