/** From the document to the slice of it that control flow needs. */

import { describe, expect, test } from 'vitest';
import { stepIdOfKey } from '../../../core/cacao/ids.ts';
import {
  action,
  agentIds,
  aPlaybook,
  byPerson,
  end,
  idOf,
  start,
  targetIds,
} from '../../support/a-playbook.ts';
import { planOf } from '../../support/dry-walk.ts';

const call = 'playbook--11111111-1111-4111-8111-111111111111';

function compiled(name: string, steps: Parameters<typeof aPlaybook>[1]) {
  const { type } = steps[name] ?? { type: '' };
  return planOf(aPlaybook('p', steps)).steps[stepIdOfKey(idOf(type, name))];
}

describe('a compiled step', () => {
  test('goes on_success before on_completion, and has no successor when there is neither', () => {
    const steps = {
      start: start('a'),
      a: action('b', { on_success: 'c' }),
      b: action(),
      c: action('b'),
    };

    expect(compiled('a', steps)).toMatchObject({ onSuccess: idOf('action', 'c') });
    expect(compiled('c', steps)).toMatchObject({ onSuccess: idOf('action', 'b') });
    expect(compiled('b', steps)).not.toHaveProperty('onSuccess');
  });

  test('has no delay and no timeout when they are absent, zero or negative', () => {
    for (const time of [{}, { delay: 0, timeout: 0 }, { delay: -1, timeout: -1 }]) {
      const a = compiled('a', { start: start('a'), a: action('end', time), end });

      expect(a).toMatchObject({ delayMs: 0 });
      expect(a).not.toHaveProperty('timeoutMs');
    }
  });

  test('keeps step variables where conditions read them, not in actions', () => {
    const step_variables = { __x__: { type: 'string', value: '1' } };
    const steps = {
      start: start('a'),
      a: action('p', { step_variables }),
      p: { type: 'parallel', next_steps: ['end'], step_variables },
      end,
    };

    expect(compiled('a', steps)).not.toHaveProperty('variables');
    expect(compiled('p', steps)).toMatchObject({ variables: step_variables });
  });

  test('of type single is an action', () => {
    const single = {
      type: 'single',
      agent: agentIds.box,
      targets: [targetIds.box],
      commands: [{ type: 'http-api', command: 'GET / HTTP/1.1' }],
    };

    expect(compiled('a', { start: start('a'), a: single })).toMatchObject({
      type: 'action',
      questions: 0,
    });
  });

  test('that a person carries out counts a question per command and target, without targets per command', () => {
    const commands = [
      { type: 'manual', command: 'one' },
      { type: 'manual', command: 'two' },
    ];
    const manual = (targets: readonly string[]) =>
      compiled('a', {
        start: start('a'),
        a: action('end', { ...byPerson, targets, commands }),
        end,
      });

    expect(manual([])).toMatchObject({ questions: 2 });
    expect(manual([targetIds.box, targetIds.other])).toMatchObject({ questions: 4 });
  });

  test('that branches names where its branches begin', () => {
    const plan = planOf(
      aPlaybook(
        'p',
        {
          start: start('i'),
          i: {
            type: 'if-condition',
            condition: 'c',
            on_true: 'w',
            on_false: 's',
            on_completion: 'q',
          },
          w: { type: 'while-condition', condition: 'd', on_true: 'end' },
          s: { type: 'switch-condition', switch: 'x', cases: { x: 'q' } },
          q: { type: 'parallel', next_steps: ['c', 'end'] },
          c: { type: 'playbook-action', playbook_id: call },
          end,
        },
        { workflow_exception: 'c' },
      ),
      'concurrent',
    );

    expect(plan).toEqual({
      start: idOf('start', 'start'),
      exception: idOf('playbook-action', 'c'),
      parallel: 'concurrent',
      steps: Object.fromEntries(
        [
          { type: 'start', name: 'start', onSuccess: idOf('if-condition', 'i') },
          {
            type: 'if-condition',
            name: 'i',
            condition: 'c',
            onTrue: idOf('while-condition', 'w'),
            onFalse: idOf('switch-condition', 's'),
            onSuccess: idOf('parallel', 'q'),
          },
          { type: 'while-condition', name: 'w', condition: 'd', onTrue: idOf('end', 'end') },
          {
            type: 'switch-condition',
            name: 's',
            subject: 'x',
            cases: { x: idOf('parallel', 'q') },
          },
          {
            type: 'parallel',
            name: 'q',
            branches: [idOf('playbook-action', 'c'), idOf('end', 'end')],
          },
          { type: 'playbook-action', name: 'c' },
          { type: 'end', name: 'end' },
        ].map(({ name, ...step }) => {
          const id = idOf(step.type, name);
          return [id, { id, delayMs: 0, ...step }];
        }),
      ),
    });
  });
});
