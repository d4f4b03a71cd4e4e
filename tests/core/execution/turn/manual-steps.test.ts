/** Manual steps: what operators are shown, how answers come back, and who wins when two things race. */

import { describe, expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { controlRun } from '../../../../core/execution/operations/control-run.ts';
import { reportOf } from '../../../../core/execution/operations/report.ts';
import { advance } from '../../../../core/execution/turn/advance.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { aBench, drive } from '../../../support/a-bench.ts';
import {
  action,
  aPlaybook,
  byPerson,
  end,
  idOf,
  playbookIdOf,
  start,
  targetIds,
} from '../../../support/a-playbook.ts';
import { answer, pendingOf } from '../../../support/answer.ts';
import { begin, noOrchestrations, run } from '../../../support/run-playbook.ts';

const look = (more: JsonObject = {}, playbook: JsonObject = {}) =>
  aPlaybook(
    'p',
    { start: start('look'), look: action('end', { ...byPerson, ...more }), end },
    playbook,
  );

async function variablesOf(bench: ReturnType<typeof aBench>, id: Parameters<typeof answer>[1]) {
  const open = await bench.stores.journal.open(id, mainWalk);
  return open?.variables;
}

describe('a question', () => {
  test('shows the command with its variables inserted, the target and the variables to fill', async () => {
    const bench = aBench();
    const playbook = look(
      {
        description: 'Have a look',
        targets: [targetIds.box],
        commands: [{ type: 'manual', command: 'Look at __where__:value' }],
        out_args: ['__seen__', '__where__'],
        timeout: 5_000,
      },
      { playbook_variables: { __where__: { type: 'hostname', value: 'door', description: 'd' } } },
    );

    const { executionId } = await begin(bench, playbook);

    const nowMs = bench.clock.now();
    expect(await pendingOf(bench, executionId)).toEqual({
      executionId,
      stepId: idOf('action', 'look'),
      playbookId: playbookIdOf('p'),
      walkId: mainWalk,
      turn: 1,
      description: 'Have a look',
      command: 'Look at door',
      commandIsBase64: false,
      targets: { [targetIds.box]: expect.objectContaining({ name: 'box' }) },
      outArgs: {
        __seen__: { type: 'string' },
        __where__: { type: 'hostname', value: 'door', description: 'd' },
      },
      openedMs: nowMs,
      deadlineMs: nowMs + 5_000,
      state: { kind: 'pending' },
    });
  });

  test('given as base64 is shown as base64, its variables inserted', async () => {
    const bench = aBench();
    const command_b64 = Buffer.from('Look at __where__:value').toString('base64');
    const playbook = look(
      { commands: [{ type: 'manual', command_b64 }] },
      { playbook_variables: { __where__: { type: 'string', value: 'door' } } },
    );

    const { executionId } = await begin(bench, playbook);

    const { command, commandIsBase64 } = await pendingOf(bench, executionId);
    expect(commandIsBase64).toBe(true);
    expect(Buffer.from(command, 'base64').toString()).toBe('Look at door');
  });

  test('that cannot be put fails its step as an error of the author', async () => {
    const broken = look({ commands: [{ type: 'manual', command_b64: '/+8=' }], on_failure: 'end' });

    const { report, steps } = await run(aBench(), broken);

    expect(steps).toEqual(['look: client_side_error']);
    expect(report.steps[0]?.latest).toMatchObject({
      errors: ['command_b64 is not UTF-8 text.'],
      automated: false,
      endedMs: expect.any(Number),
    });
  });

  test('waits ten minutes when the step has no timeout', async () => {
    const bench = aBench();

    const { executionId } = await begin(bench, look());

    const { openedMs, deadlineMs } = await pendingOf(bench, executionId);
    expect(deadlineMs - openedMs).toBe(600_000);
  });

  test('waits no longer than the step around it may take', async () => {
    const bench = aBench();
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: { type: 'if-condition', condition: "'1' = '1'", on_true: 'look', timeout: 1_000 },
      look: action('end', { ...byPerson, timeout: 5_000 }),
      end,
    });

    const ran = await run(bench, playbook);

    expect(ran.steps).toEqual(['check: timeout_error', 'look: timeout_error']);
    expect(bench.clock.now()).toBe(Date.UTC(2026, 0, 2) + 1_000);
  });
});

describe('an answer', () => {
  test('makes the step succeed and fills its variables, keeping their types', async () => {
    const bench = aBench();
    const playbook = look(
      { out_args: ['__n__', '__new__'] },
      { playbook_variables: { __n__: { type: 'integer', value: '1' } } },
    );
    const { executionId } = await begin(bench, playbook);
    bench.pass(40);
    await answer(bench, executionId, { __n__: '2', __new__: 'x' }, { caller: 'ada' });
    bench.pass(2);

    const status = await drive(bench, executionId);

    expect(status).toBe('successfully_executed');
    const filled = {
      __n__: { type: 'integer', value: '2' },
      __new__: { type: 'string', value: 'x' },
    };
    expect(await variablesOf(bench, executionId)).toEqual(filled);
    const report = await reportOf(bench.stores, executionId);
    expect(report?.steps[0]?.latest).toMatchObject({
      status: 'successfully_executed',
      executedBy: 'ada',
      automated: false,
      startedMs: Date.UTC(2026, 0, 2),
      endedMs: Date.UTC(2026, 0, 2) + 40,
      commandsB64: [Buffer.from('Look and tell').toString('base64')],
      variables: filled,
    });
    expect(await bench.stores.manual.list()).toEqual([]);
  });

  test('of failure makes the step fail and leaves the scope untouched', async () => {
    const bench = aBench();
    const playbook = look({ out_args: ['__n__'], on_failure: 'end' });
    const { executionId } = await begin(bench, playbook);
    await answer(bench, executionId, { __n__: '2' }, { success: false });

    await drive(bench, executionId);

    expect(await variablesOf(bench, executionId)).toEqual({});
    const report = await reportOf(bench.stores, executionId);
    expect(report?.steps[0]?.latest).toMatchObject({
      status: 'failed',
      errors: ['The operator reported failure.'],
    });
    expect(report?.run.status).toBe('successfully_executed');
  });

  test('that comes too late is refused, whether the walk has noticed or not', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, look({ timeout: 100, on_failure: 'end' }));
    const { stepId } = await pendingOf(bench, executionId);
    bench.pass(100);

    await expect(answer(bench, executionId, {}, { stepId })).rejects.toMatchObject({
      code: 'manual-missing',
    });
    await drive(bench, executionId);

    const report = await reportOf(bench.stores, executionId);
    expect(report?.steps[0]?.latest).toMatchObject({
      status: 'timeout_error',
      errors: ['No operator answered in time.'],
    });
    expect(report?.run.status).toBe('successfully_executed');
  });

  test('given in time counts although the walk looks only after the deadline', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, look({ timeout: 100 }));
    bench.pass(99);
    await answer(bench, executionId);
    bench.pass(500);

    expect(await drive(bench, executionId)).toBe('successfully_executed');
  });

  test('wins over the deadline when it arrives between the look and the decision', async () => {
    const inner = aBench();
    const { executionId } = await begin(inner, look({ timeout: 100, on_failure: 'end' }));
    const { stepId } = await pendingOf(inner, executionId);
    const { manual } = inner.stores;
    // The walk sees a pending command; by the time it decides, somebody has answered.
    const late = {
      success: true,
      values: {},
      answeredBy: 'operator',
      answeredMs: inner.clock.now() + 99,
    };
    const raced = {
      list: () => manual.list(),
      answered: () => manual.answered(),
      settle: manual.settle.bind(manual),
      get: async (...place: Parameters<typeof manual.get>) => {
        const seen = await manual.get(...place);
        await manual.settle(executionId, stepId, 1, { kind: 'answered', answer: late });
        return seen;
      },
    };
    inner.pass(100);

    await advance(
      { ...inner, stores: { ...inner.stores, manual: raced } },
      {
        execution: executionId,
        walk: mainWalk,
        turn: 1,
      },
    );

    const report = await reportOf(inner.stores, executionId);
    expect(report?.steps[0]?.latest.status).toBe('successfully_executed');
  });

  test('counts once: the second one is refused', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, look());
    const { stepId } = await answer(bench, executionId);

    const second = answer(bench, executionId, {}, { stepId, success: false });

    await expect(second).rejects.toMatchObject({ code: 'manual-missing' });
    expect(await drive(bench, executionId)).toBe('successfully_executed');
  });
});

describe('several commands for several targets', () => {
  const playbook = look({
    targets: [targetIds.box, targetIds.other],
    commands: [
      { type: 'manual', command: 'first' },
      { type: 'manual', command: 'second' },
    ],
    out_args: ['__n__'],
    on_failure: 'end',
  });

  test('are asked one after the other, every target before the next command', async () => {
    const bench = aBench();
    const asked: string[] = [];
    let n = 0;

    const { report } = await run(bench, playbook, {}, async (_, { execution }) => {
      const { command, targets } = await pendingOf(bench, execution);
      asked.push(
        `${command} ${Object.keys(targets).map((id) => (id === targetIds.box ? 'box' : 'other'))}`,
      );
      n += 1;
      await answer(bench, execution, { __n__: String(n) });
    });

    expect(asked).toEqual(['first box', 'first other', 'second box', 'second other']);
    expect(report.steps[0]?.count).toBe(1);
    const commands = ['first', 'first', 'second', 'second'];
    expect(report.steps[0]?.latest).toMatchObject({
      status: 'successfully_executed',
      commandsB64: commands.map((command) => Buffer.from(command).toString('base64')),
    });
    expect(await variablesOf(bench, report.run.executionId)).toMatchObject({
      __n__: { value: '4' },
    });
  });

  test('each have the whole timeout', async () => {
    const bench = aBench();

    const ran = await run(bench, { ...playbook }, {}, async (_, { execution }) => {
      bench.pass(599_999);
      await answer(bench, execution, { __n__: '1' });
    });

    expect(ran.status).toBe('successfully_executed');
    expect(bench.clock.now()).toBe(Date.UTC(2026, 0, 2) + 4 * 599_999);
  });

  test('end at the first failure, and none of the answers stay', async () => {
    const bench = aBench();
    const answers = [true, false];

    const { report } = await run(bench, playbook, {}, async (_, { execution }) => {
      await answer(bench, execution, { __n__: '1' }, { success: answers.shift() ?? true });
    });

    expect(answers).toEqual([]);
    expect(report.steps[0]?.latest).toMatchObject({
      status: 'failed',
      commandsB64: ['first', 'first'].map((command) => Buffer.from(command).toString('base64')),
    });
    expect(await variablesOf(bench, report.run.executionId)).toEqual({});
  });
});

test('concurrent branches may wait at the same step, each for its own answer', async () => {
  const bench = aBench(undefined, { parallel: 'concurrent' });
  const playbook = aPlaybook('p', {
    start: start('both'),
    both: { type: 'parallel', next_steps: ['look', 'look'], on_completion: 'end' },
    look: action('end', { ...byPerson, out_args: ['__n__'] }),
    end,
  });
  const walks: string[] = [];

  const ran = await run(bench, playbook, {}, async (_, { execution }) => {
    walks.push((await answer(bench, execution, { __n__: '1' })).walkId);
  });

  expect(ran.status).toBe('successfully_executed');
  expect(walks).toEqual(['w.1-0', 'w.1-1']);
  expect(ran.report.steps.find(({ latest }) => latest.name === 'look')?.count).toBe(2);
});

test('a question disappears when its execution is cancelled, and the report keeps what was asked', async () => {
  const bench = aBench();
  const { executionId } = await begin(bench, look());
  await controlRun(bench, noOrchestrations, executionId, 'cancel', undefined);

  expect(await drive(bench, executionId)).toBe('failed');

  expect(await bench.stores.manual.list()).toEqual([]);
  const report = await reportOf(bench.stores, executionId);
  expect(report?.steps[0]?.latest).toMatchObject({
    status: 'failed',
    errors: ['The execution was cancelled.'],
    automated: false,
    executedBy: 'operator',
    commandsB64: [Buffer.from('Look and tell').toString('base64')],
  });
  await expect(
    answer(bench, executionId, {}, { stepId: report?.steps[0]?.latest.stepId as never }),
  ).rejects.toMatchObject({ code: 'manual-missing' });
});
