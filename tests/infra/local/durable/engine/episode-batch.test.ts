import { expect, test } from 'vitest';
import { episodeBatch } from '../../../../../infra/local/durable/engine/episode-batch.ts';
import { createPick } from '../../../../../infra/local/durable/engine/pick.ts';
import type { InboundEvent } from '../../../../../infra/local/durable/protocol/history-event.ts';
import type { InboxEntry } from '../../../../../infra/local/durable/store/inbox-table.ts';
import { aRun } from '../fixture/a-run.ts';

const inOrder = createPick(undefined);
const go: InboundEvent = { kind: 'EventRaised', at: 10, name: 'go', input: '1' };
const carried = { ...go, name: 'carried' } as const;
const fired: InboundEvent = { kind: 'TimerFired', at: 10, taskId: 0, fireAt: 5000 };
const start: InboundEvent = {
  kind: 'ExecutionStarted',
  at: 10,
  name: 'o',
  version: null,
  input: null,
  instanceId: 'i',
  executionId: 'current',
  parent: null,
};
const entry = (event: InboundEvent, executionId: string | null = null): InboxEntry => ({
  number: 1,
  event,
  executionId,
});
const run = aRun({ executionId: 'current' });
const batchOf = (inbox: InboxEntry[], now = 100, of = run) =>
  episodeBatch(of, { inbox, completions: [] }, now, inOrder);

test('the start comes first, then what it carries, then the rest in order of arrival', () => {
  const batch = batchOf([entry(go), { ...entry(start, 'current'), carried: [carried] }]);

  expect(batch).toEqual([{ kind: 'OrchestratorStarted', at: 100 }, start, carried, go]);
});

test('messages of another generation are dropped, events belong to whichever is current', () => {
  expect(batchOf([entry(fired, 'older'), entry(go)])).toEqual([
    { kind: 'OrchestratorStarted', at: 100 },
    go,
  ]);
  expect(batchOf([entry(fired, 'older')])).toBe(undefined);
});

test('an instance that ended takes no messages', () => {
  expect(batchOf([entry(go)], 100, aRun({ status: 'Completed' }))).toBe(undefined);
});

test('an episode is never earlier than its timers, its messages or the one before', () => {
  const later = { ...run, events: [{ kind: 'OrchestratorCompleted', at: 900 } as const] };

  expect(batchOf([entry(fired, 'current')])?.[0]).toMatchObject({ at: 5000 });
  expect(batchOf([entry(go)], 1)?.[0]).toMatchObject({ at: 10 });
  expect(batchOf([entry(go)], 1, later)?.[0]).toMatchObject({ at: 900 });
});
