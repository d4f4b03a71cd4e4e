/** What an answer to a manual command must look like; a refused one leaves the command pending. */

import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../core/errors/refusal.ts';
import { mainWalk } from '../../../../core/execution/ids.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { aBench, drive } from '../../../support/a-bench.ts';
import { action, aPlaybook, byPerson, end, idOf, start } from '../../../support/a-playbook.ts';
import { answer, pendingOf } from '../../../support/answer.ts';
import { begin } from '../../../support/run-playbook.ts';

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

describe('an answer is refused', () => {
  const playbook = look(
    { out_args: ['__n__'] },
    { playbook_variables: { __n__: { type: 'integer', value: '1' } } },
  );
  const refusedWith = async (
    outArgs: JsonObject,
    more: Partial<Parameters<typeof answer>[3]> = {},
  ): Promise<string> => {
    const bench = aBench();
    const { executionId } = await begin(bench, playbook);
    const refusal = await answer(bench, executionId, {}, { outArgs, ...more }).catch(
      (error: unknown) => error,
    );
    // Whatever was wrong, the command is still there for a better answer.
    expect((await pendingOf(bench, executionId)).state.kind).toBe('pending');
    if (!(refusal instanceof Refusal)) throw new Error('The answer was not refused.');
    return refusal.code;
  };
  const n = (more: JsonObject) => ({ __n__: { value: '2', ...more } });

  test.each([
    ['when a variable that was asked for is missing', {}, 'answer-variable-missing'],
    [
      'when a variable was not asked for',
      { ...n({}), __m__: { value: '1' } },
      'answer-variable-unknown',
    ],
    [
      'when a variable is named like what every object has',
      { ...n({}), constructor: { value: '1' } },
      'answer-variable-unknown',
    ],
    ['when a variable has another type', n({ type: 'string' }), 'answer-variable-type-mismatch'],
    [
      'when a variable calls itself by another name',
      n({ name: '__m__' }),
      'answer-variable-name-mismatch',
    ],
    ['when a variable has no value', { __n__: { type: 'integer' } }, 'answer-value-invalid'],
    ['when a value is a tree', n({ value: {} }), 'answer-value-invalid'],
    ['when a variable is no object', { __n__: '2' }, 'answer-value-invalid'],
  ])('%s', async (_, outArgs, code) => {
    expect(await refusedWith(outArgs as JsonObject)).toBe(code);
  });

  test('when it names another playbook', async () => {
    expect(await refusedWith(n({}), { playbookId: 'playbook--x' })).toBe(
      'answer-playbook-mismatch',
    );
  });

  test('when there is no such command', async () => {
    expect(await refusedWith(n({}), { stepId: idOf('action', 'other') as never })).toBe(
      'manual-missing',
    );
  });

  test('but a full variable, a number or a boolean is taken as its text', async () => {
    for (const value of ['2', 2, true]) {
      const bench = aBench();
      const { executionId } = await begin(bench, playbook);
      const outArgs = { __n__: { type: 'integer', name: '__n__', constant: true, value } };

      await answer(bench, executionId, {}, { outArgs });
      await drive(bench, executionId);

      expect(await variablesOf(bench, executionId)).toEqual({
        __n__: { type: 'integer', value: String(value) },
      });
    }
  });

  test('of failure may leave variables out', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, playbook);

    await answer(bench, executionId, {}, { success: false });

    expect(await drive(bench, executionId)).toBe('failed');
  });
});
