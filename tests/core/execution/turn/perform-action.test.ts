/** Carrying out the commands of an action: order, first failure, time limits, capabilities that misbehave. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { stepIdOfKey } from '../../../../core/cacao/ids.ts';
import { viewPlaybook } from '../../../../core/cacao/playbook.ts';
import { CapabilityTable } from '../../../../core/execution/capability-table.ts';
import { stepOf } from '../../../../core/execution/scope.ts';
import { type ActionWork, performAction } from '../../../../core/execution/turn/perform-action.ts';
import type { JsonObject } from '../../../../core/json.ts';
import {
  type Capability,
  type CapabilitySession,
  statelessCapability,
} from '../../../../core/ports/capability.ts';
import {
  action,
  agentIds,
  aPlaybook,
  end,
  idOf,
  start,
  targetIds,
} from '../../../support/a-playbook.ts';

const texts = (...commands: string[]) => ({
  commands: commands.map((command) => ({ type: 'http-api', command })),
});

function work(
  step: JsonObject,
  signal = new AbortController().signal,
  more: JsonObject = {},
): ActionWork {
  const playbook = viewPlaybook(
    aPlaybook('p', { start: start('a'), a: action('end', step), end }, more),
  );
  const found = stepOf(playbook, stepIdOfKey(idOf('action', 'a')));
  if (found?.type !== 'action') throw new Error('There is no action.');
  const context = {
    executionId: 'e',
    playbookId: playbook.id,
    stepId: idOf('action', 'a'),
    workKey: 'e/1',
    deadlineMs: 1_000,
  } as never;
  return { playbook, step: found, variables: {}, context, signal };
}

function table(
  perform: CapabilitySession['perform'],
  more: Partial<Capability> = {},
): CapabilityTable {
  return new CapabilityTable([{ ...statelessCapability('http-api', perform), ...more }], ['svc']);
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the commands of a step', () => {
  test('are carried out one at a time, each for every target before the next', async () => {
    const seen: string[] = [];
    const capabilities = table(async ({ text, target }) => {
      seen.push(`${text} begins for ${target?.name}`);
      await Promise.resolve();
      seen.push(`${text} ends`);
      return { ok: true, values: {} };
    });

    const result = await performAction(
      work({ ...texts('one', 'two'), targets: [targetIds.box, targetIds.other] }),
      capabilities,
    );

    expect(seen).toEqual([
      'one begins for box',
      'one ends',
      'one begins for other',
      'one ends',
      'two begins for box',
      'two ends',
      'two begins for other',
      'two ends',
    ]);
    expect(result.invoked).toEqual(['one', 'one', 'two', 'two']);
  });

  test('end at the first failure, whose kind is kept', async () => {
    const capabilities = table(async ({ text }) =>
      text === 'two'
        ? { ok: false, status: 'client_side_error', error: 'bad line', values: { __b__: '2' } }
        : { ok: true, values: { __a__: '1' } },
    );

    const result = await performAction(work(texts('one', 'two', 'three')), capabilities);

    expect(result).toMatchObject({
      failure: { status: 'client_side_error', error: 'bad line' },
      invoked: ['one', 'two'],
      outputs: {},
      returned: { __a__: '1', __b__: '2' },
    });
  });
});

describe('a step that cannot be carried out', () => {
  const capabilities = table(async () => ({ ok: true, values: {} }));
  const unusable = async (step: JsonObject, more: JsonObject = {}) => {
    const { failure, invoked } = await performAction(work(step, undefined, more), capabilities);
    expect(invoked).toEqual([]);
    return failure;
  };

  test('fails as an error of the author when its agent has no capability', async () => {
    const agent = { type: 'security-category', name: 'smoke-signals' };

    expect(await unusable({}, { agent_definitions: { [agentIds.box]: agent } })).toEqual({
      status: 'client_side_error',
      error: 'There is no capability for the agent smoke-signals.',
    });
  });

  test('fails as an error of the author when it has no target', async () => {
    expect(await unusable({ targets: [] })).toEqual({
      status: 'client_side_error',
      error: 'The step has no target.',
    });
  });

  test('fails as an error of the author when its command or content is not base64', async () => {
    const commands = (command: JsonObject) => ({ commands: [{ type: 'http-api', ...command }] });

    expect(await unusable(commands({ command_b64: 'no base64!' }))).toMatchObject({
      error: 'command_b64 is not base64.',
    });
    expect(await unusable(commands({ command: 'x', content_b64: '???' }))).toMatchObject({
      error: 'content_b64 is not base64.',
    });
  });
});

describe('a capability', () => {
  test('that throws fails the step as a defect of the service, and its session is ended', async () => {
    let ended = 0;
    const begin = () => ({
      perform: async () => {
        throw new Error('boom');
      },
      end: async () => {
        ended += 1;
      },
    });

    const { failure } = await performAction(
      work({}),
      table(async () => ({ ok: true, values: {} }), { begin }),
    );

    expect(failure).toEqual({
      status: 'server_side_error',
      error: 'The capability crashed: boom',
    });
    expect(ended).toBe(1);
  });

  test('that cannot even begin fails the step as a defect of the service', async () => {
    const begin = (): CapabilitySession => {
      throw new Error('no session');
    };

    const { failure } = await performAction(
      work({}),
      table(async () => ({ ok: true, values: {} }), { begin }),
    );

    expect(failure).toEqual({
      status: 'server_side_error',
      error: 'The capability crashed: no session',
    });
  });

  test('that cannot end does not change what its commands did', async () => {
    const begin = () => ({
      perform: async () => ({ ok: true, values: {} }) as const,
      end: (): Promise<void> => {
        throw new Error('stuck');
      },
    });

    const result = await performAction(
      work({}),
      table(async () => ({ ok: true, values: {} }), { begin }),
    );

    expect(result.failure).toBeUndefined();
  });

  test('that does not stop when told to is left behind after two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stopping = new AbortController();
    const stubborn = table(() => new Promise(() => {}));
    const working = performAction(work({}, stopping.signal), stubborn);
    await vi.advanceTimersByTimeAsync(0);

    stopping.abort();
    await vi.advanceTimersByTimeAsync(2_000);

    expect((await working).failure).toEqual({
      status: 'failed',
      error: 'The execution was cancelled.',
    });
  });

  test('that stops in time says itself what happened', async () => {
    const stopping = new AbortController();
    const capabilities = table(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve({ ok: false, status: 'failed', error: 'The session was closed.' });
          });
          stopping.abort();
        }),
    );

    const { failure } = await performAction(work({}, stopping.signal), capabilities);

    expect(failure?.error).toBe('The session was closed.');
  });

  test('is not given a command any more when the time of the step is up', async () => {
    const seen: string[] = [];
    const stopping = new AbortController();
    const capabilities = table(async ({ text }) => {
      seen.push(text);
      stopping.abort(new DOMException('late', 'TimeoutError'));
      return { ok: true, values: {} };
    });

    const result = await performAction(work(texts('one', 'two'), stopping.signal), capabilities);

    expect(seen).toEqual(['one']);
    expect(result.invoked).toEqual(['one']);
    expect(result.failure).toEqual({
      status: 'timeout_error',
      error: 'The time of the step is up.',
    });
  });
});
