import { describe, expect, test } from 'vitest';
import type { FinResult } from '../../../../core/fins/message.ts';
import { outcomeOf } from '../../../../infra/capabilities/fin/fin-outcome.ts';
import type { Ending } from '../../../../infra/fins/sent-command.ts';

const running = new AbortController().signal;
const cancelled = AbortSignal.abort(new Error('cancelled'));
const timeUp = AbortSignal.abort(new DOMException('time', 'TimeoutError'));

function aResult(more: Partial<FinResult>): Ending {
  const work = { executionId: 'e', stepId: 's', generatedUs: undefined };
  const result: FinResult = {
    type: 'result',
    messageId: 'm',
    work,
    success: true,
    state: 'success',
    values: { __a__: '1' },
    ...more,
  };
  return { kind: 'result', result };
}

describe('the outcome of a command to a fin', () => {
  test('is success with the variables of the result', () => {
    expect(outcomeOf(aResult({}), 'f', running)).toEqual({
      ok: true,
      values: { __a__: '1' },
      executedBy: 'f',
    });
  });

  test.each([
    ['failure', 'The fin f reported the state failure.'],
    ['', 'The fin f reported no state.'],
  ])('is failure with the variables of a result in the state "%s"', (state, error) => {
    expect(outcomeOf(aResult({ success: false, state }), 'f', running)).toEqual({
      ok: false,
      status: 'failed',
      error,
      values: { __a__: '1' },
      executedBy: 'f',
    });
  });

  test.each([
    ['refused', 'failed', 'refused the command'],
    ['silent', 'timeout_error', 'did not acknowledge'],
    ['cut-off', 'server_side_error', 'not known'],
    ['unsent', 'server_side_error', 'has not got the command'],
  ] as const)('of a command that was %s is %s', (kind, status, words) => {
    expect(outcomeOf({ kind }, 'f', running)).toMatchObject({
      ok: false,
      status,
      error: expect.stringContaining(words),
      executedBy: 'f',
    });
  });

  test.each([
    ['queueing', 'busy with other commands'],
    ['connecting', 'The message broker did not answer'],
    ['working', 'The fin f did not answer'],
  ] as const)(
    'of a command whose time was up while %s is a timeout that says so',
    (phase, words) => {
      expect(outcomeOf({ kind: 'aborted', while: phase }, 'f', timeUp)).toMatchObject({
        status: 'timeout_error',
        error: expect.stringContaining(words),
      });
    },
  );

  test('of a cancelled execution says so', () => {
    expect(outcomeOf({ kind: 'aborted', while: 'working' }, 'f', cancelled)).toMatchObject({
      status: 'failed',
      error: 'The execution was cancelled.',
    });
  });
});
