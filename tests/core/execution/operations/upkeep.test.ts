/** What the service does for its executions unasked: forgetting old ones, repairing, giving up. */

import { describe, expect, test } from 'vitest';
import { branchWalk, type ExecutionId, mainWalk } from '../../../../core/execution/ids.ts';
import { controlRun } from '../../../../core/execution/operations/control-run.ts';
import { reconcile } from '../../../../core/execution/operations/reconcile.ts';
import { reportOf } from '../../../../core/execution/operations/report.ts';
import { retain } from '../../../../core/execution/operations/retention.ts';
import { triggerDocument } from '../../../../core/execution/operations/trigger.ts';
import { abandon } from '../../../../core/execution/turn/abandon.ts';
import { advance } from '../../../../core/execution/turn/advance.ts';
import { aBench, drive, type TestBench } from '../../../support/a-bench.ts';
import { action, aPlaybook, byPerson, end, start } from '../../../support/a-playbook.ts';
import { answer } from '../../../support/answer.ts';
import { Killed, mortal } from '../../../support/around-commit.ts';
import { begin, noOrchestrations, run } from '../../../support/run-playbook.ts';

const quick = aPlaybook('p', { start: start('a'), a: action('end'), end });
const asking = aPlaybook('q', { start: start('look'), look: action('end', byPerson), end });

function spy() {
  const calls: string[] = [];
  const orchestrations = {
    start: async (id: ExecutionId) => void calls.push(`start ${id}`),
    wake: async (id: ExecutionId, walk: string, turn: number) =>
      void calls.push(`wake ${id} ${walk} ${turn}`),
    forgetEnded: async (beforeMs: number) => void calls.push(`forget ${beforeMs}`),
  };
  return { calls, orchestrations };
}

async function idsIn(bench: TestBench): Promise<ExecutionId[]> {
  return (await bench.stores.runs.list({ order: 'oldest-first' })).map((it) => it.executionId);
}

describe('old executions', () => {
  test('are forgotten oldest first, running ones never', async () => {
    const bench = aBench();
    const running = (await begin(bench, asking)).executionId;
    const ended: ExecutionId[] = [];
    for (let n = 0; n < 3; n += 1) {
      bench.pass(1_000);
      ended.push((await run(bench, quick)).report.run.executionId);
    }
    const { calls, orchestrations } = spy();

    const forgotten = await retain(bench, orchestrations, 2);

    expect(forgotten).toEqual(ended.slice(0, 2));
    expect(await idsIn(bench)).toEqual([running, ended[2]]);
    expect(await reportOf(bench.stores, ended[0] as ExecutionId)).toBeUndefined();
    // The running one is the oldest kept: only what began before it may go from the durable history.
    expect(calls).toEqual([`forget ${Date.UTC(2026, 0, 2)}`]);
  });

  test('stay as long as there is room', async () => {
    const bench = aBench();
    await run(bench, quick);
    const { calls, orchestrations } = spy();

    expect(await retain(bench, orchestrations, 1)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test('are forgotten a hundred at a time', async () => {
    const bench = aBench();
    for (let n = 0; n < 103; n += 1) await run(bench, quick);
    const { orchestrations } = spy();

    expect(await retain(bench, orchestrations, 0)).toHaveLength(100);
    expect(await retain(bench, orchestrations, 0)).toHaveLength(3);
    expect(await idsIn(bench)).toEqual([]);
  });
});

describe('reconciling', () => {
  test('starts an execution nobody walks, once it had time to be started', async () => {
    const bench = aBench();
    const { executionId } = await triggerDocument(bench, noOrchestrations, quick, {
      variables: {},
    });
    const { calls, orchestrations } = spy();

    bench.pass(9_999);
    await reconcile(bench, orchestrations);
    expect(calls).toEqual([]);

    bench.pass(1);
    await reconcile(bench, orchestrations);
    expect(calls).toEqual([`start ${executionId}`]);
  });

  test('wakes a walk whose answer it has not noticed', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, asking);
    await answer(bench, executionId);
    const { calls, orchestrations } = spy();

    await reconcile(bench, orchestrations);
    expect(calls).toEqual([`wake ${executionId} w 1`]);

    await drive(bench, executionId);
    await reconcile(bench, orchestrations);
    expect(calls).toHaveLength(1);
  });

  test('wakes a cancelled execution whose walk has not noticed', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, asking);
    const lost = {
      ...noOrchestrations,
      wake: () => Promise.reject(new Error('The engine is away.')),
    };
    await controlRun(bench, lost, executionId, 'cancel', undefined).catch(() => {});
    const { calls, orchestrations } = spy();

    await reconcile(bench, orchestrations);

    expect(calls).toEqual([`wake ${executionId} w 1`]);
  });

  test('leaves executions alone that only wait', async () => {
    const bench = aBench();
    await begin(bench, asking);
    bench.pass(60_000);
    const { calls, orchestrations } = spy();

    await reconcile(bench, orchestrations);

    expect(calls).toEqual([]);
  });
});

describe('an execution that is given up', () => {
  test('ends with all it has begun, and says that it was the fault of the service', async () => {
    const { stores } = aBench();
    const nested = aPlaybook('p', {
      start: start('check'),
      check: { type: 'if-condition', condition: "'1' = '1'", on_true: 'a', on_completion: 'end' },
      a: action('end'),
      end,
    });
    const dying = aBench(undefined, { stores: mortal(stores, new Set([2]), 'before') });
    await expect(begin(dying, nested)).rejects.toThrow(Killed);
    const bench = aBench(undefined, { stores });
    const [execution] = await idsIn(bench);
    if (execution === undefined) throw new Error('There is no execution.');

    const order = await abandon(bench, { execution, walk: mainWalk, turn: 1 });

    expect(order).toEqual({ do: 'finish', status: 'server_side_error' });
    const errors = ['The service failed while executing the playbook; its log says why.'];
    const report = await reportOf(stores, execution);
    expect(report?.run).toMatchObject({ status: 'server_side_error', errors });
    expect(report?.steps.map(({ latest }) => latest)).toEqual(
      ['check', 'a'].map((name) =>
        expect.objectContaining({
          name,
          status: 'server_side_error',
          errors,
          endedMs: bench.clock.now(),
        }),
      ),
    );
    expect(bench.events.map(({ kind }) => kind)).toEqual([
      'step-ended',
      'step-ended',
      'execution-ended',
    ]);
  });

  test('takes its pending question with it', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, asking);

    await abandon(bench, { execution: executionId, walk: mainWalk, turn: 1 });

    expect(await bench.stores.manual.list()).toEqual([]);
  });

  test('stops the branches it has forked', async () => {
    const bench = aBench(undefined, { parallel: 'concurrent' });
    const forked = aPlaybook('p', {
      start: start('both'),
      both: { type: 'parallel', next_steps: ['a', 'b'], on_completion: 'end' },
      a: action('end'),
      b: action('end'),
      end,
    });
    const { executionId: execution } = await begin(bench, forked);
    await abandon(bench, { execution, walk: mainWalk, turn: 1 });

    const walk = branchWalk(mainWalk, 1, 0);
    const order = await advance(bench, { execution, walk, turn: 0 });

    expect(order).toEqual({ do: 'finish', status: 'server_side_error' });
    expect(bench.performed).toEqual([]);
  });

  test('is left alone when it went on meanwhile, or is not known', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, asking);

    expect(await abandon(bench, { execution: executionId, walk: mainWalk, turn: 0 })).toMatchObject(
      {
        do: 'wait',
        turn: 1,
      },
    );
    expect(
      await abandon(bench, { execution: 'x' as ExecutionId, walk: mainWalk, turn: 0 }),
    ).toEqual({ do: 'finish', status: 'failed' });
  });
});
