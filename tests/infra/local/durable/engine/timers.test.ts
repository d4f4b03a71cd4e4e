import { expect, test } from 'vitest';
import '../fixture/orchestrations.ts';
import { aHost, eventually } from '../fixture/test-host.ts';

test('a timer fires, and never before its time as the orchestrator sees it', async () => {
  const host = await aHost();

  const { output } = await host.run('eventOrTimer', { timeoutMs: 20 });

  const { timedOutAt, deadline } = output as { timedOutAt: string; deadline: string };
  expect(timedOutAt >= deadline).toBe(true);
});

test('a timer that was cancelled when the event won does not keep the instance alive', async () => {
  const host = await aHost();
  const id = await host.begin('eventOrTimer', { timeoutMs: 3_600_000 });
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');

  await host.raise(id, 'answer', 42);

  expect((await host.end(id)).output).toEqual({ answer: 42 });
});

test('an event that is there already beats a timer created in the same episode', async () => {
  const host = await aHost();
  const id = await host.begin('eventOrTimer', { timeoutMs: 3_600_000 });

  await host.raise(id, 'answer', 'early');

  expect((await host.end(id)).output).toEqual({ answer: 'early' });
});

test('a timer left open keeps the instance Running until it fires', async () => {
  const host = await aHost();
  const startedAt = Date.now();

  const status = await host.run('forgetsTimer', { timeoutMs: 300 });

  expect(status.output).toBe('returned');
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(300);
});

test('a timer longer than the limit is split in pieces on both sides alike', async () => {
  const host = await aHost({ deps: { timerLimits: { longestMs: 60, pieceMs: 30 } } });

  const status = await host.run('sleep', { forMs: 150 });

  expect(status).toMatchObject({ runtimeStatus: 'Completed', output: 'awake' });
  const kinds = await host.historyOf(status.instanceId);
  const fired = kinds.filter((kind) => kind === 'TimerFired').length;
  expect(fired).toBeGreaterThanOrEqual(2);
  expect(kinds.filter((kind) => kind === 'TimerCreated')).toHaveLength(fired);
});

test('a timer that became due while nobody was there fires at the next start', async () => {
  let ahead = 0;
  const host = await aHost({ deps: { now: () => Date.now() + ahead } });
  const id = await host.begin('sleep', { forMs: 3_600_000 });
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');

  ahead = 3_600_001;
  await host.reopen();

  expect((await host.end(id)).output).toBe('awake');
});

test('a timer of a generation that is over never reaches the next one', async () => {
  const host = await aHost();
  const id = await host.begin('sleepThenContinue', { round: 1 });
  await host.until(id, ({ runtimeStatus }) => runtimeStatus === 'Running');

  await host.raise(id, 'next.1', 1);
  await host.until(id, ({ input }) => (input as { round: number }).round === 2);
  await eventually(async () => (await host.historyOf(id)).includes('TimerCreated') || undefined);
  await host.raise(id, 'next.2', 2);

  expect((await host.end(id)).output).toBe('second');
});
