import { describe, expect, test } from 'vitest';
import type { EpisodeAnswer } from '../../../../../infra/local/durable/protocol/episode-result.ts';
import type { HistoryEvent } from '../../../../../infra/local/durable/protocol/history-event.ts';
import type { Action } from '../../../../../infra/local/durable/protocol/orchestration-action.ts';
import type { Replay } from '../../../../../infra/local/durable/protocol/replay.ts';
import { replayActions } from '../../../../../infra/local/durable/protocol/replay-actions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rules = {
  timerLimits: { longestMs: 6 * dayMs, pieceMs: 3 * dayMs },
  maxActions: 50,
  knowsActivity: (name: string) => name !== 'absent',
  knowsOrchestrator: () => true,
};

const call = (name: string): Action => ({ kind: 'activity', name, input: null, retry: undefined });
const timer = (fireAt: number, cancelled = false): Action => ({ kind: 'timer', fireAt, cancelled });
const event = (name: string): Action => ({ kind: 'event', name });
const all = (...children: Action[]): Action => ({ kind: 'all', children });
const any = (...children: Action[]): Action => ({ kind: 'any', children });
const retried = (maxAttempts: number, timeoutMs = Number.POSITIVE_INFINITY): Action => ({
  kind: 'activity',
  name: 'a',
  input: null,
  retry: { maxAttempts, firstDelayMs: 100, backoff: 3, maxDelayMs: 500, timeoutMs },
});

const started = (at = 0): HistoryEvent[] => [
  { kind: 'OrchestratorStarted', at },
  {
    kind: 'ExecutionStarted',
    at,
    name: 'o',
    version: null,
    input: null,
    instanceId: 'i',
    executionId: 'e',
    parent: null,
  },
];
const episode = (at: number): HistoryEvent => ({ kind: 'OrchestratorStarted', at });
const scheduled = (taskId: number, name = 'a'): HistoryEvent => ({
  kind: 'TaskScheduled',
  at: 0,
  taskId,
  name,
});
const completed = (taskId: number): HistoryEvent => ({
  kind: 'TaskCompleted',
  at: 0,
  taskId,
  result: null,
});
const failed = (taskId: number): HistoryEvent => ({
  kind: 'TaskFailed',
  at: 0,
  taskId,
  reason: '',
  details: '',
});
const timerCreated = (taskId: number): HistoryEvent => ({
  kind: 'TimerCreated',
  at: 0,
  taskId,
  fireAt: 0,
});
const fired = (taskId: number): HistoryEvent => ({ kind: 'TimerFired', at: 0, taskId, fireAt: 0 });
const raised = (name: string): HistoryEvent => ({ kind: 'EventRaised', at: 0, name, input: '1' });
const suspended: HistoryEvent = { kind: 'ExecutionSuspended', at: 0, reason: '' };
const resumed: HistoryEvent = { kind: 'ExecutionResumed', at: 0, reason: '' };

function replay(actions: Action[], history: HistoryEvent[], answer: Partial<EpisodeAnswer> = {}) {
  const whole: EpisodeAnswer = {
    kind: 'answer',
    isDone: false,
    actions,
    output: undefined,
    error: undefined,
    customStatus: undefined,
    ...answer,
  };
  return replayActions(history, whole, rules);
}

const asks = ({ newTasks }: Replay) =>
  newTasks.map(
    (task) => `${task.taskId} ${task.kind === 'timer' ? task.fireAt : task.action.name}`,
  );

describe('numbering', () => {
  test('tasks are numbered in tree order as they are reached', () => {
    const found = replay(
      [all(call('a'), any(call('b'), timer(7)), call('c')), call('later')],
      started(),
    );

    expect(asks(found)).toEqual(['0 a', '1 b', '2 7', '3 c']);
  });

  test('waiting for an event takes no number', () => {
    const found = replay([any(event('go'), call('a')), call('later')], started());

    expect(asks(found)).toEqual(['0 a']);
  });

  test('a cancelled timer keeps its number but is not open', () => {
    const found = replay(
      [any(event('go'), timer(5, true)), call('next')],
      [...started(), raised('go')],
    );

    expect(asks(found)).toEqual(['0 5', '1 next']);
    expect([found.isOpen(0), found.isOpen(1)]).toEqual([false, true]);
  });
});

describe('the walk', () => {
  test('the action after Task.all is reached when all are finished, a failed one included', () => {
    const actions = [all(call('a'), call('b')), call('next')];
    const history = [...started(), scheduled(0), scheduled(1, 'b'), failed(0)];

    expect(asks(replay(actions, history))).toEqual([]);
    expect(asks(replay(actions, [...history, completed(1)]))).toEqual(['2 next']);
  });

  test('the action after Task.any is reached at the first', () => {
    const actions = [any(call('a'), call('b')), call('next')];

    const found = replay(actions, [...started(), scheduled(0), scheduled(1, 'b'), completed(1)]);

    expect(asks(found)).toEqual(['2 next']);
    expect(found.isOpen(0)).toBe(true);
  });

  test('a completion that comes twice counts once', () => {
    const history = [...started(), scheduled(0), completed(0), completed(0)];

    expect(asks(replay([call('a'), call('b')], history))).toEqual(['1 b']);
  });

  test('events go to the newest waiter, and queue up without one, whatever the letter case', () => {
    const actions = [event('GO'), event('go'), call('next')];

    expect(asks(replay(actions, [...started(), raised('go')]))).toEqual([]);
    expect(asks(replay(actions, [...started(), raised('Go'), raised('gO')]))).toEqual(['0 next']);
  });
});

describe('retries', () => {
  const first = [...started(1000), scheduled(0), episode(2000), failed(0)];

  test('a failed attempt is followed by a timer, and that by the next attempt', () => {
    const again = [...first, timerCreated(1), episode(2100), fired(1)];

    expect(asks(replay([retried(3)], first))).toEqual(['1 2100']);
    expect(asks(replay([retried(3)], again))).toEqual(['2 a']);
  });

  test('delays grow up to their limit', () => {
    const second = [...first, timerCreated(1), episode(2100), fired(1), scheduled(2), failed(2)];
    const third = [...second, timerCreated(3), episode(2400), fired(3), scheduled(4), failed(4)];

    expect(asks(replay([retried(9)], second))).toEqual(['3 2400']);
    expect(asks(replay([retried(9)], third))).toEqual(['5 2900']);
  });

  test('the last failure is followed by a timer that is due at once', () => {
    const found = replay([retried(1), call('next')], first);

    expect(asks(found)).toEqual(['1 2000']);
    expect(asks(replay([retried(1), call('next')], [...first, timerCreated(1), fired(1)]))).toEqual(
      ['2 next'],
    );
  });

  test('after the retry timeout there is no timer', () => {
    expect(asks(replay([retried(3, 500), call('next')], first))).toEqual(['1 next']);
  });
});

describe('long timers', () => {
  const end = 10 * dayMs;

  test('a timer beyond six days goes in pieces of three, each with a number of its own', () => {
    const one = [...started()];
    const two = [...one, timerCreated(0), episode(3 * dayMs), fired(0)];
    const three = [...two, timerCreated(1), episode(6 * dayMs), fired(1)];
    const last = [...three, timerCreated(2), episode(end), fired(2)];

    expect(asks(replay([timer(end), call('next')], one))).toEqual([`0 ${3 * dayMs}`]);
    expect(asks(replay([timer(end), call('next')], two))).toEqual([`1 ${6 * dayMs}`]);
    expect(asks(replay([timer(end), call('next')], three))).toEqual([`2 ${end}`]);
    expect(asks(replay([timer(end), call('next')], last))).toEqual(['3 next']);
  });

  test('cancelling one after its first piece is non-deterministic, as on Azure', () => {
    const history = [...started(), timerCreated(0), episode(3 * dayMs), fired(0), timerCreated(1)];

    const { end: ending } = replay(
      [any(event('go'), timer(end, true))],
      [...history, raised('go')],
    );

    expect(ending).toMatchObject({ kind: 'failed' });
  });
});

describe('the end', () => {
  const done = [...started(), scheduled(0), completed(0)];

  test('an instance completes when the code is done and nothing is open', () => {
    expect(replay([call('a')], done, { isDone: true }).end).toEqual({ kind: 'completed' });
  });

  test.each([
    ['returned', { isDone: true }],
    ['threw', { error: 'no' }],
  ])('an instance whose code %s stays running while a task is open', (_, answer) => {
    const history = [...started(), scheduled(0), timerCreated(1), completed(0)];

    expect(replay([any(call('a'), timer(9))], history, answer).end).toEqual({ kind: 'running' });
  });

  test('an instance whose code threw fails with the error', () => {
    expect(replay([call('a')], done, { error: 'no' }).end).toEqual({
      kind: 'failed',
      message: 'no',
    });
  });

  test('continueAsNew takes along the events that came after it, and only those', () => {
    const actions: Action[] = [event('go'), { kind: 'continueAsNew', input: { n: 1 } }];
    const history = [...started(), raised('other'), raised('go'), raised('later')];

    expect(replay(actions, history, { isDone: true }).end).toEqual({
      kind: 'continued',
      input: { n: 1 },
      carried: [raised('later')],
    });
  });

  test('an event that beat a timer is carried along when the timer is cancelled, as on Azure', () => {
    const race = any(event('go'), timer(9, true));
    const actions: Action[] = [race, { kind: 'continueAsNew', input: {} }];
    const history = [...started(), timerCreated(0), raised('go')];

    const { end } = replay(actions, history, { isDone: true });

    expect(end).toMatchObject({ kind: 'continued', carried: [raised('go')] });
  });

  test('an unknown function fails the instance', () => {
    expect(replay([call('absent')], started()).end).toMatchObject({ kind: 'failed' });
  });

  test('more actions than allowed fail the instance', () => {
    const actions = [all(...Array.from({ length: 50 }, () => call('a')))];

    expect(replay(actions, started()).end).toMatchObject({ kind: 'failed' });
  });
});

describe('non-determinism', () => {
  test.each([
    ['another activity', [call('b')], scheduled(0)],
    ['another kind of task', [timer(1)], scheduled(0)],
    ['a timer instead', [call('a')], timerCreated(0)],
    ['nothing', [event('go')], scheduled(0)],
    ['a lower number', [call('a')], scheduled(1)],
  ])('code that asks for %s fails', (_, actions, recorded) => {
    const { end } = replay(actions, [...started(), recorded]);

    expect(end).toMatchObject({ kind: 'failed' });
    expect((end as { message: string }).message).toMatch(/^Non-deterministic orchestration: /);
  });

  test('the same name in other letters is the same', () => {
    expect(replay([call('Do')], [...started(), scheduled(0, 'dO')]).end).toEqual({
      kind: 'running',
    });
  });
});

describe('suspension', () => {
  const actions = [call('a'), call('b')];
  const history = [...started(), scheduled(0), suspended, completed(0)];

  test('while suspended nothing is scheduled and nothing ends', () => {
    const found = replay(actions, history, { isDone: true });

    expect(found).toMatchObject({ suspended: true, newTasks: [], end: { kind: 'running' } });
  });

  test('a resume delivers what was parked', () => {
    const found = replay(actions, [...history, resumed]);

    expect([found.suspended, asks(found)]).toEqual([false, ['1 b']]);
  });
});
