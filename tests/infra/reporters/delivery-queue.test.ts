import { describe, expect, test } from 'vitest';
import { DeliveryQueue } from '../../../infra/reporters/delivery-queue.ts';
import { aLog } from './a-log.ts';

type Deliver = (item: number, signal: AbortSignal) => Promise<void>;

function aQueue(deliver: Deliver, capacity?: number) {
  const { log, logged } = aLog();
  const queue = new DeliveryQueue<number>({
    name: 'somebody',
    log,
    deliver,
    describe: (item) => ({ item }),
    ...(capacity === undefined ? {} : { capacity }),
  });
  return { queue, logged };
}

const untilAborted: Deliver = (_item, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('items are delivered one after the other, in their order', async () => {
  const heard: string[] = [];
  const { queue } = aQueue(async (item) => {
    heard.push(`begin ${item}`);
    await new Promise(setImmediate);
    heard.push(`end ${item}`);
  });

  queue.put(1);
  queue.put(2);
  await queue.close(5_000);

  expect(heard).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('putting an item does not wait for anything, not even for the delivery to begin', () => {
  let begun = false;
  const { queue } = aQueue(async () => {
    begun = true;
  });

  queue.put(1);

  expect(begun).toBe(false);
});

test('an item that cannot be delivered is logged and does not stop the next', async () => {
  const heard: number[] = [];
  const refusal = new Error('no');
  const { queue, logged } = aQueue(async (item) => {
    if (item === 1) throw refusal;
    heard.push(item);
  });

  queue.put(1);
  queue.put(2);
  await queue.close(5_000);

  expect(heard).toEqual([2]);
  expect(logged).toEqual([
    {
      event: 'reporter.delivery-failed',
      fields: { reporter: 'somebody', item: 1, error: refusal },
    },
  ]);
});

test('a delivery that throws outright is a failed delivery', async () => {
  const { queue, logged } = aQueue(() => {
    throw new Error('broken');
  });

  expect(() => queue.put(1)).not.toThrow();
  await queue.close(5_000);

  expect(logged).toHaveLength(1);
});

test('beyond the capacity the oldest are dropped, and the log says how many', async () => {
  const heard: number[] = [];
  const stuck = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { queue, logged } = aQueue(async (item) => {
    heard.push(item);
    begun.resolve();
    await stuck.promise;
  }, 3);

  queue.put(0);
  await begun.promise;
  for (const item of [1, 2, 3, 4, 5]) queue.put(item);
  stuck.resolve();
  await queue.close(5_000);

  expect(heard).toEqual([0, 3, 4, 5]);
  expect(logged).toEqual([
    { event: 'reporter.events-dropped', fields: { reporter: 'somebody', dropped: 2 } },
  ]);
});

describe('closing', () => {
  test('of an idle queue is immediate, and what is put later is ignored', async () => {
    const heard: number[] = [];
    const { queue } = aQueue(async (item) => void heard.push(item));

    await queue.close(60_000);
    queue.put(1);
    await new Promise(setImmediate);

    expect(heard).toEqual([]);
  });

  test('does not wait for a delivery that does not stop when it is told to', async () => {
    const { queue } = aQueue(() => new Promise(() => {}));
    queue.put(1);
    await new Promise(setImmediate);

    await expect(queue.close(10)).resolves.toBeUndefined();
  });

  test('gives up what takes too long and says how much', async () => {
    const { queue, logged } = aQueue(untilAborted);
    for (const item of [1, 2, 3]) queue.put(item);
    await new Promise(setImmediate);

    await queue.close(10);

    expect(logged.map(({ event }) => event)).toEqual([
      'reporter.delivery-failed',
      'reporter.events-undelivered',
    ]);
    expect(logged[1]?.fields).toEqual({ reporter: 'somebody', undelivered: 2 });
  });
});
