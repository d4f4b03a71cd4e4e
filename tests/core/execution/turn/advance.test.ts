/** Turns that are taken again, by a driver that repeats itself or after the service was killed. */

import { describe, expect, test } from 'vitest';
import { type ExecutionId, mainWalk } from '../../../../core/execution/ids.ts';
import { reportOf } from '../../../../core/execution/operations/report.ts';
import { advance } from '../../../../core/execution/turn/advance.ts';
import type { Stores } from '../../../../core/ports/stores.ts';
import { aBench, drive, type Performer } from '../../../support/a-bench.ts';
import {
  action,
  aPlaybook,
  byPerson,
  end,
  playbookIdOf,
  start,
} from '../../../support/a-playbook.ts';
import { answer } from '../../../support/answer.ts';
import { aroundCommit, Killed, mortal } from '../../../support/around-commit.ts';
import { begin, run } from '../../../support/run-playbook.ts';

const two = aPlaybook('p', { start: start('a'), a: action('b'), b: action('end'), end });

async function onlyRun(stores: Stores): Promise<ExecutionId> {
  const [run] = await stores.runs.list({ order: 'oldest-first' });
  if (run === undefined) throw new Error('There is no run.');
  return run.executionId;
}

describe('a turn that was recorded', () => {
  test('is not taken again, and its order is repeated', async () => {
    const bench = aBench();
    const asking = aPlaybook('p', {
      start: start('a'),
      a: action('look'),
      look: action('end', byPerson),
      end,
    });
    const { executionId } = await begin(bench, asking);
    const events = bench.events.length;

    const orders = [];
    for (const turn of [0, 1, 0, 2]) {
      orders.push(await advance(bench, { execution: executionId, walk: mainWalk, turn }));
    }

    expect(orders).toEqual(Array(4).fill({ do: 'wait', turn: 2, forMs: 600_000 }));
    expect(bench.performed).toEqual(['GET /a HTTP/1.1']);
    expect(bench.events).toHaveLength(events);
  });

  test('stays recorded when the process dies right after', async () => {
    const { stores } = aBench();
    const dying = aBench(undefined, { stores: mortal(stores, new Set([2]), 'after') });
    await expect(begin(dying, two)).rejects.toThrow(Killed);

    const bench = aBench(undefined, { stores });
    const id = await onlyRun(stores);
    expect(await drive(bench, id)).toBe('successfully_executed');

    expect([...dying.performed, ...bench.performed]).toEqual([
      'GET /a HTTP/1.1',
      'GET /b HTTP/1.1',
    ]);
    const report = await reportOf(stores, id);
    expect(report?.steps.map(({ latest }) => latest.interruptions)).toEqual([0, 0]);
  });

  test('is taken by one of two processes, and the other one repeats its order', async () => {
    const bench = aBench();
    const asking = aPlaybook('p', { start: start('look'), look: action('end', byPerson), end });
    const { executionId } = await begin(bench, asking);
    await answer(bench, executionId);
    const place = { execution: executionId, walk: mainWalk, turn: 1 };

    const orders = await Promise.all([advance(bench, place), advance(bench, place)]);

    expect(orders).toEqual(Array(2).fill({ do: 'finish', status: 'successfully_executed' }));
    expect(bench.events.filter(({ kind }) => kind === 'execution-ended')).toHaveLength(1);
  });
});

describe('a command that was in flight when the process died', () => {
  test('is carried out again, and the report says so', async () => {
    const { stores } = aBench();
    const twice = new Set([2]);
    for (let deaths = 0; deaths < 2; deaths += 1) {
      const dying = aBench(undefined, {
        stores: mortal(stores, deaths === 0 ? twice : new Set([1]), 'before'),
      });
      const died = deaths === 0 ? begin(dying, two) : drive(dying, await onlyRun(stores));
      await expect(died).rejects.toThrow(Killed);
    }

    const bench = aBench(undefined, { stores });
    const id = await onlyRun(stores);
    const before = await reportOf(stores, id);
    await drive(bench, id);

    expect(before?.steps[0]?.latest).toMatchObject({ status: 'ongoing', interruptions: 1 });
    expect(bench.performed).toEqual(['GET /a HTTP/1.1', 'GET /b HTTP/1.1']);
    const report = await reportOf(stores, id);
    expect(report?.steps[0]?.count).toBe(1);
    expect(report?.steps[0]?.latest).toMatchObject({
      status: 'successfully_executed',
      statusText:
        'the step was executed after an interruption of the service, which began it again',
      interruptions: 2,
    });
    expect(report?.steps[1]?.latest.interruptions).toBe(0);
  });

  test('is given the same work key again, so that its target may tell', async () => {
    const { stores } = aBench();
    const keys: string[] = [];
    const noting: Performer = (_, { workKey }) => {
      keys.push(workKey);
      return { ok: true, values: {} };
    };
    const dying = aBench(noting, { stores: mortal(stores, new Set([2]), 'before') });
    await expect(begin(dying, two)).rejects.toThrow(Killed);

    await drive(aBench(noting, { stores }), await onlyRun(stores));

    const id = await onlyRun(stores);
    expect(keys).toEqual([`${id}/w#1`, `${id}/w#1`, `${id}/w#2`]);
  });

  test('is not sent when the time of its step passed meanwhile', async () => {
    const { stores } = aBench();
    const timed = aPlaybook('p', {
      start: start('a'),
      a: action('b', { timeout: 1_000, on_failure: 'b' }),
      b: action('end'),
      end,
    });
    const dying = aBench(undefined, { stores: mortal(stores, new Set([2]), 'before') });
    await expect(begin(dying, timed)).rejects.toThrow(Killed);

    const bench = aBench(undefined, { stores });
    bench.pass(1_000);
    await drive(bench, await onlyRun(stores));

    expect(bench.performed).toEqual(['GET /b HTTP/1.1']);
    const report = await reportOf(stores, await onlyRun(stores));
    expect(report?.steps[0]?.latest).toMatchObject({
      status: 'timeout_error',
      errors: ['The time of the step is up.'],
      commandsB64: [],
      interruptions: 1,
    });
  });
});

test.each([
  ['question', action('end', { ...byPerson, commands: [{ type: 'manual', command_b64: '/+8=' }] })],
  ['called playbook', { type: 'playbook-action', playbook_id: playbookIdOf('none') } as const],
])(
  'a loop over a %s that cannot be had takes many turns, so that others get theirs',
  async (_, body) => {
    let largest = 0;
    const { stores } = aBench();
    const watched = aroundCommit(stores, (commit, write) => {
      largest = Math.max(largest, commit.steps.length);
      return write();
    });
    const bench = aBench(undefined, { stores: watched, limits: { loopTurns: 500 } });
    const loop = { type: 'while-condition', condition: "'1' = '1'", on_true: 'body' } as const;
    const playbook = aPlaybook('p', {
      start: start('loop'),
      loop,
      body: { ...body, on_failure: 'end' },
      end,
    });

    const ran = await run(bench, playbook);

    expect(ran.status).toBe('failed');
    expect(ran.report.steps.map(({ count }) => count)).toEqual([1, 500]);
    expect(ran.report.steps[1]?.latest).toMatchObject({
      status: 'client_side_error',
      endedMs: expect.any(Number),
    });
    expect(largest).toBeLessThan(50);
  },
);

test('a walk nobody knows is finished', async () => {
  const order = await advance(aBench(), { execution: 'x' as ExecutionId, walk: mainWalk, turn: 0 });

  expect(order).toEqual({ do: 'finish', status: 'failed' });
});
