import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Scheduler } from '../../../../../infra/local/durable/engine/scheduler.ts';

const first = (ready: ReadonlySet<string>) => ready.values().next().value;

test('an instance never has two episodes at once; what comes meanwhile is one more', async () => {
  const log: string[] = [];
  let release: () => void = () => {};
  const scheduler = new Scheduler({
    run: async (id) => {
      log.push(`begin ${id}`);
      if (log.length === 1) await new Promise<void>((resolve) => (release = resolve));
      log.push(`end ${id}`);
    },
    endOfTurn: () => {},
    pick: first,
  });

  scheduler.ready('a');
  scheduler.ready('a');
  scheduler.ready('a');
  scheduler.ready('b');
  await nextTurn();
  release();
  await nextTurn();

  expect(log).toEqual(['begin a', 'begin b', 'end b', 'end a', 'begin a', 'end a']);
});

test('endless work leaves the event loop its turns', async () => {
  let episodes = 0;
  let isOver = false;
  const scheduler: Scheduler = new Scheduler({
    run: async (id) => {
      episodes += 1;
      if (!isOver) scheduler.ready(id);
    },
    endOfTurn: () => {},
    pick: first,
  });

  scheduler.ready('busy');
  await new Promise((resolve) => setTimeout(resolve, 30));
  isOver = true;

  expect(episodes).toBeGreaterThan(10);
});

test('a stop waits for the episode in progress and starts no other', async () => {
  const log: string[] = [];
  let release: () => void = () => {};
  const scheduler = new Scheduler({
    run: async (id) => {
      await new Promise<void>((resolve) => (release = resolve));
      log.push(id);
    },
    endOfTurn: () => {},
    pick: first,
  });
  scheduler.ready('a');
  scheduler.ready('a');

  const stopping = scheduler.stop(new AbortController().signal);
  release();
  await stopping;

  expect(log).toEqual(['a']);
});
