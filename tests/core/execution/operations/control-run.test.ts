/** Cancelling, pausing and resuming, with everything an execution has called or forked. */

import { describe, expect, test } from 'vitest';
import { parsePlaybookId } from '../../../../core/cacao/ids.ts';
import { type ExecutionId, mainWalk } from '../../../../core/execution/ids.ts';
import { controlRun } from '../../../../core/execution/operations/control-run.ts';
import { reportOf } from '../../../../core/execution/operations/report.ts';
import type { Control } from '../../../../core/execution/run.ts';
import { advance } from '../../../../core/execution/turn/advance.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { aBench, drive, type TestBench } from '../../../support/a-bench.ts';
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
import { begin, noOrchestrations } from '../../../support/run-playbook.ts';

const two = aPlaybook('p', { start: start('a'), a: action('b'), b: action('end'), end });
const asking = (name: string) =>
  aPlaybook(name, { start: start('look'), look: action('end', byPerson), end });
const calling = aPlaybook('parent', {
  start: start('call'),
  call: { type: 'playbook-action', playbook_id: playbookIdOf('child'), on_completion: 'after' },
  after: action('end'),
  end,
});

async function store(bench: TestBench, playbook: JsonObject): Promise<void> {
  const id = parsePlaybookId(String(playbook['id']));
  if (id !== undefined) await bench.stores.playbooks.add(id, playbook);
}

/** Answers which walks were woken: `<execution number>/<walk>@<turn>`. */
async function control(bench: TestBench, id: ExecutionId, what: Control): Promise<string[]> {
  const woken: string[] = [];
  const wake = async (execution: string, walk: string, turn: number) => {
    woken.push(`${Number(execution.slice(-12))}/${walk}@${turn}`);
  };
  await controlRun(bench, { ...noOrchestrations, wake }, id, what, 'ada');
  return woken;
}

async function stepsOf(bench: TestBench, id: ExecutionId): Promise<string[]> {
  const report = await reportOf(bench.stores, id);
  return (report?.steps ?? []).map(({ latest }) => `${latest.name}: ${latest.status}`);
}

describe('a cancelled execution', () => {
  test('begins no further step, raises no exception branch and says why', async () => {
    const bench = aBench();
    const rescued = aPlaybook(
      'p',
      { start: start('look'), look: action('end', byPerson), end, rescue: action('end') },
      { workflow_exception: 'rescue' },
    );
    const { executionId } = await begin(bench, rescued);

    expect(await control(bench, executionId, 'cancel')).toEqual(['1/w@1']);
    const status = await drive(bench, executionId);

    expect(status).toBe('failed');
    expect(bench.performed).toEqual([]);
    expect((await bench.stores.runs.get(executionId))?.errors).toEqual([
      'The execution was cancelled.',
    ]);
  });

  test('is over at once when it was sleeping a delay', async () => {
    const bench = aBench();
    const sleepy = aPlaybook('p', { start: start('a'), a: action('end', { delay: 9_000 }), end });
    const { executionId } = await begin(bench, sleepy);
    await control(bench, executionId, 'cancel');

    const order = await advance(bench, { execution: executionId, walk: mainWalk, turn: 1 });

    expect(order).toEqual({ do: 'finish', status: 'failed' });
    expect(await stepsOf(bench, executionId)).toEqual([]);
  });

  test('tells the command that is being carried out to stop', async () => {
    const stopping = new AbortController();
    const cancellations = { watch: () => ({ signal: stopping.signal, stop: () => {} }) };
    const bench = aBench(
      ({ signal }) => {
        stopping.abort();
        return { ok: false, status: 'failed', error: `stopped: ${signal.aborted}` };
      },
      { cancellations },
    );

    const { executionId } = await begin(bench, two);

    expect(await stepsOf(bench, executionId)).toEqual(['a: failed']);
    const report = await reportOf(bench.stores, executionId);
    expect(report?.steps[0]?.latest.errors).toEqual(['stopped: true']);
    expect(report?.run).toMatchObject({
      status: 'failed',
      errors: ['The execution was cancelled.'],
    });
  });

  test('reports a command as executed when it ended well before it could be stopped', async () => {
    const stopping = new AbortController();
    const cancellations = { watch: () => ({ signal: stopping.signal, stop: () => {} }) };
    const bench = aBench(
      () => {
        stopping.abort();
        return { ok: true, values: { __x__: '1' } };
      },
      { cancellations },
    );

    const { executionId } = await begin(bench, two);

    expect(await stepsOf(bench, executionId)).toEqual(['a: successfully_executed']);
    expect((await bench.stores.runs.get(executionId))?.status).toBe('failed');
  });

  test('takes the playbooks it has called with it', async () => {
    const bench = aBench();
    await store(bench, asking('child'));
    const { executionId } = await begin(bench, calling);
    const child = (await bench.stores.runs.list({ order: 'oldest-first' }))[1]?.executionId;
    if (child === undefined) throw new Error('No playbook was called.');
    await advance(bench, { execution: child, walk: mainWalk, turn: 0 });

    expect(await control(bench, executionId, 'cancel')).toEqual(['2/w@1']);
    await drive(bench, executionId);

    expect(await stepsOf(bench, executionId)).toEqual(['call: failed']);
    expect(await stepsOf(bench, child)).toEqual(['look: failed']);
    expect((await bench.stores.runs.get(child))?.errors).toEqual(['The execution was cancelled.']);
    expect(bench.performed).toEqual([]);
  });

  test('takes a playbook with it that it was just about to call', async () => {
    const bench = aBench();
    await store(bench, asking('child'));
    const { executionId } = await begin(bench, calling);
    // The operator's request reached the run after its turn had looked, and found no child to tell.
    await bench.stores.runs.setControl(executionId, 'cancel');

    await drive(bench, executionId);

    const runs = await bench.stores.runs.list({ order: 'oldest-first' });
    const cancelled = ['The execution was cancelled.'];
    expect(runs.map(({ errors }) => errors)).toEqual([cancelled, cancelled]);
    expect(await bench.stores.manual.list()).toEqual([]);
  });

  test('takes its concurrent branches with it', async () => {
    const bench = aBench(undefined, { parallel: 'concurrent' });
    const forked = aPlaybook('p', {
      start: start('both'),
      both: { type: 'parallel', next_steps: ['look', 'look2'], on_completion: 'end' },
      look: action('end', byPerson),
      look2: action('end', byPerson),
      end,
    });
    const { executionId } = await begin(bench, forked);
    const branches = ['w.1-0', 'w.1-1'].map((walk) => ({ execution: executionId, walk, turn: 0 }));
    for (const place of branches) await advance(bench, place as never);

    expect(await control(bench, executionId, 'cancel')).toEqual(['1/w.1-0@1', '1/w.1-1@1']);
    await drive(bench, executionId);

    expect(await stepsOf(bench, executionId)).toEqual([
      'both: failed',
      'look: failed',
      'look2: failed',
    ]);
    expect(await bench.stores.manual.list()).toEqual([]);
  });

  test('is noticed although the request came between a turn and the wait that follows it', async () => {
    const { stores } = aBench();
    // Whoever asks finds the walk still at its old turn, so nobody is woken for the new one.
    const raced = aroundCommit(stores, async ({ executionId }, write) => {
      await stores.runs.setControl(executionId, 'cancel');
      return write();
    });

    const { executionId } = await begin(aBench(undefined, { stores: raced }), asking('q'));

    expect((await stores.runs.get(executionId))?.status).toBe('failed');
  });

  test('shows that a command was in flight when the service died', async () => {
    const { stores } = aBench();
    const dying = aBench(undefined, { stores: mortal(stores, new Set([2]), 'before') });
    await expect(begin(dying, two)).rejects.toThrow(Killed);
    const bench = aBench(undefined, { stores });
    const [run] = await stores.runs.list({ order: 'oldest-first' });
    if (run === undefined) throw new Error('There is no run.');

    await control(bench, run.executionId, 'cancel');
    await drive(bench, run.executionId);

    const report = await reportOf(stores, run.executionId);
    expect(report?.steps[0]?.latest).toMatchObject({ status: 'failed', interruptions: 1 });
    expect(bench.performed).toEqual([]);
  });
});

describe('a paused execution', () => {
  test('begins no step until it is resumed', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, asking('q'));
    await control(bench, executionId, 'pause');
    await answer(bench, executionId);

    const order = await advance(bench, { execution: executionId, walk: mainWalk, turn: 1 });
    expect(order).toEqual({ do: 'wait', turn: 1, forMs: 60_000 });

    expect(await control(bench, executionId, 'go')).toEqual(['1/w@1']);
    expect(await drive(bench, executionId)).toBe('successfully_executed');
  });

  test('pauses the playbooks it has called, and resumes them', async () => {
    const bench = aBench();
    await store(bench, asking('child'));
    const { executionId } = await begin(bench, calling);
    const child = (await bench.stores.runs.list({ order: 'oldest-first' }))[1]?.executionId;
    if (child === undefined) throw new Error('No playbook was called.');
    await advance(bench, { execution: child, walk: mainWalk, turn: 0 });

    await control(bench, executionId, 'pause');
    expect((await bench.stores.runs.get(child))?.control).toBe('pause');
    await control(bench, executionId, 'go');
    expect((await bench.stores.runs.get(child))?.control).toBe('go');
  });
});

describe('controlling an execution', () => {
  test('is refused when there is none, or when it has ended', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, two);

    await expect(control(bench, executionId, 'pause')).rejects.toMatchObject({
      code: 'execution-finished',
    });
    await expect(control(bench, 'x' as ExecutionId, 'pause')).rejects.toMatchObject({
      code: 'execution-missing',
    });
  });

  test('is recorded for auditors with who asked', async () => {
    const recorded: unknown[] = [];
    const securityLog = { record: (...entry: unknown[]) => void recorded.push(entry) };
    const bench = aBench(undefined, { securityLog });
    const { executionId } = await begin(bench, asking('q'));

    await control(bench, executionId, 'pause');

    expect(recorded.at(-1)).toEqual([
      'execution_controlled',
      { executionId, control: 'pause', caller: 'ada' },
    ]);
  });
});
