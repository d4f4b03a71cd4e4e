import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InboundEvent } from '../../../../../infra/local/durable/protocol/history-event.ts';
import { DurableStore } from '../../../../../infra/local/durable/store/durable-store.ts';

function aStore(): DurableStore {
  const folder = mkdtempSync(join(tmpdir(), 'durable-'));
  const store = new DurableStore(join(folder, 'durable.db'), 'NORMAL');
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

const event = (name: string): InboundEvent => ({ kind: 'EventRaised', at: 0, name, input: '1' });
const start: InboundEvent = {
  kind: 'ExecutionStarted',
  at: 0,
  name: 'o',
  version: null,
  input: null,
  instanceId: 'i',
  executionId: 'e',
  parent: null,
};

test('the start of a generation comes before however many events that were there earlier', () => {
  const { inbox } = aStore();
  for (let number = 0; number < 1200; number += 1) {
    inbox.add('i', null, { event: event(`${number}`) });
  }
  inbox.add('i', 'e', { event: start });

  const entries = inbox.peek('i');

  expect(entries).toHaveLength(1000);
  expect(entries.slice(0, 3).map((entry) => entry.event)).toEqual([start, event('0'), event('1')]);
});

test('an instance is known to have messages until the last one is removed', () => {
  const { inbox } = aStore();
  inbox.add('i', null, { event: event('a') });
  inbox.add('i', null, { event: event('b') });
  inbox.add('other', null, { event: event('c') });

  for (const { number } of inbox.peek('i')) {
    expect(inbox.owners()).toEqual(['i', 'other']);
    inbox.remove('i', number);
  }

  expect([inbox.has('i'), inbox.owners()]).toEqual([false, ['other']]);
});

test('after a rolled back transaction everything is as before', () => {
  const store = aStore();
  store.inbox.add('i', null, { event: event('kept') });

  const change = () =>
    store.transaction(() => {
      for (const { number } of store.inbox.peek('i')) store.inbox.remove('i', number);
      store.inbox.add('new', null, { event: event('undone') });
      throw new Error('undo');
    });

  expect(change).toThrow('undo');
  expect(store.inbox.owners()).toEqual(['i']);
  expect(store.inbox.peek('i').map((entry) => entry.event)).toEqual([event('kept')]);
});
