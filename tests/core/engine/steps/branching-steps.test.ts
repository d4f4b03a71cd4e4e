/** if-condition, switch-condition and while-condition, walked by the bare interpreter. */

import { describe, expect, test } from 'vitest';
import { action, aPlaybook, end, start } from '../../../support/a-playbook.ts';
import { doings, failed, walk } from '../../../support/a-walk.ts';

const ifPlaybook = (more: object = {}) =>
  aPlaybook('p', {
    start: start('check'),
    check: {
      type: 'if-condition',
      condition: "__level__:value = 'high'",
      on_true: 'yes',
      on_false: 'no',
      on_completion: 'after',
      ...more,
    },
    yes: action('end'),
    no: action('end'),
    after: action('end'),
    end,
  });

describe('an if-condition', () => {
  test('walks on_true when its condition holds, then goes on after the step', () => {
    const told = walk(ifPlaybook(), {}, { variables: { __level__: 'high' } });

    expect(doings(told)).toEqual(['run yes', 'run after']);
    expect(told.notes).toEqual(['check: ongoing', 'check: successfully_executed']);
    expect(told.raw.texts).toEqual(['the condition is true', 'the chosen branch has ended']);
  });

  test('walks on_false when its condition does not hold', () => {
    const told = walk(ifPlaybook(), {}, { variables: { __level__: 'low' } });

    expect(doings(told)).toEqual(['run no', 'run after']);
  });

  test('without on_false succeeds and goes on when its condition does not hold', () => {
    const { on_false: _none, ...members } = {
      on_false: '',
      type: 'if-condition',
      condition: "'a' = 'b'",
      on_true: 'yes',
      on_completion: 'after',
    };
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: members,
      yes: action('end'),
      after: action('end'),
      end,
    });

    const told = walk(playbook);

    expect(doings(told)).toEqual(['run after']);
    expect(told.notes).toEqual(['check: successfully_executed']);
  });

  test('fails as an error of the author when its condition cannot be evaluated', () => {
    const told = walk(ifPlaybook({ condition: 'shall we', on_failure: 'no' }));

    expect(doings(told)).toEqual(['run no']);
    expect(told.notes).toEqual(['check: client_side_error']);
    expect(told.outcome).toEqual({ status: 'successfully_executed', errors: [] });
  });

  test('compares an undefined variable as the text it is written as', () => {
    const told = walk(ifPlaybook({ condition: "__level__:value = '__level__:value'" }));

    expect(doings(told)).toEqual(['run yes', 'run after']);
  });

  test('sees results of the steps before it', () => {
    const playbook = aPlaybook('p', {
      start: start('ask'),
      ask: action('check'),
      check: {
        type: 'if-condition',
        condition: "__level__:value = 'high'",
        on_true: 'yes',
        on_completion: 'end',
      },
      yes: action('end'),
      end,
    });

    const told = walk(playbook, { ask: { outputs: { __level__: 'high' } } });

    expect(doings(told)).toEqual(['run ask', 'run yes']);
  });

  test('sees its own step variables before any result, and the steps around it pass theirs on', () => {
    const level = (value: string) => ({ step_variables: { __level__: { type: 'string', value } } });
    const inner = {
      type: 'if-condition',
      condition: "__level__:value = 'high'",
      on_true: 'yes',
      on_false: 'no',
      on_completion: 'end',
    } as const;
    const playbook = (outerLevel: object, innerLevel: object) =>
      aPlaybook('p', {
        start: start('outer'),
        outer: {
          type: 'parallel',
          next_steps: ['inner'],
          on_completion: 'later',
          ...outerLevel,
        },
        inner: { ...inner, ...innerLevel },
        later: inner,
        yes: action('end'),
        no: action('end'),
        end,
      });
    const variables = { __level__: 'low' };

    expect(doings(walk(playbook(level('high'), {}), {}, { variables }))).toEqual([
      'run yes',
      'run no',
    ]);
    expect(doings(walk(playbook(level('high'), level('low')), {}, { variables }))).toEqual([
      'run no',
      'run no',
    ]);
    const concurrent = { variables, parallel: 'concurrent' } as const;
    expect(doings(walk(playbook(level('high'), {}), {}, concurrent))).toEqual([
      'fork outer',
      'run yes',
      'run no',
    ]);
  });
});

describe('a branch', () => {
  test('that runs into the steps after the branching step walks them twice, as it was written', () => {
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: {
        type: 'if-condition',
        condition: "'1' = '1'",
        on_true: 'yes',
        on_completion: 'after',
      },
      yes: action('after'),
      after: action('end'),
      end,
    });

    expect(doings(walk(playbook))).toEqual(['run yes', 'run after', 'run after']);
  });

  test('ends at a step without a successor as at an end step', () => {
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: {
        type: 'if-condition',
        condition: "'1' = '1'",
        on_true: 'yes',
        on_completion: 'after',
      },
      yes: action(),
      after: action(),
    });

    expect(doings(walk(playbook))).toEqual(['run yes', 'run after']);
  });
});

const switchPlaybook = (more: object = {}) =>
  aPlaybook('p', {
    start: start('choose'),
    choose: {
      type: 'switch-condition',
      switch: '__level__:value',
      cases: { high: 'a', low: 'b', default: 'c' },
      on_completion: 'after',
      ...more,
    },
    a: action('end'),
    b: action('end'),
    c: action('end'),
    after: action('end'),
    end,
  });

describe('a switch-condition', () => {
  test('walks the case its value names, then goes on after the step', () => {
    const told = walk(switchPlaybook(), {}, { variables: { __level__: 'low' } });

    expect(doings(told)).toEqual(['run b', 'run after']);
    expect(told.notes).toEqual(['choose: ongoing', 'choose: successfully_executed']);
  });

  test('walks default when no case has the value, also for names every object has', () => {
    for (const __level__ of ['none', 'constructor', '__proto__', '']) {
      expect(doings(walk(switchPlaybook(), {}, { variables: { __level__ } }))).toEqual([
        'run c',
        'run after',
      ]);
    }
  });

  test('walks nothing when no case has the value and there is no default', () => {
    const told = walk(
      switchPlaybook({ cases: { high: 'a' } }),
      {},
      { variables: { __level__: 'x' } },
    );

    expect(doings(told)).toEqual(['run after']);
    expect(told.raw.texts).toEqual(['no case matches']);
  });

  test('reads a variable without value as the empty text and an unknown one as its name', () => {
    const empty = switchPlaybook({ cases: { '': 'a', '__x__:value': 'b' } });

    expect(doings(walk(empty, {}, { variables: { __level__: '' } }))).toEqual([
      'run a',
      'run after',
    ]);
    const unknown = switchPlaybook({ switch: '__x__:value', cases: { '__x__:value': 'b' } });
    expect(doings(walk(unknown))).toEqual(['run b', 'run after']);
  });
});

const whilePlaybook = (more: object = {}) =>
  aPlaybook('p', {
    start: start('loop'),
    loop: {
      type: 'while-condition',
      condition: "__n__:value != '3'",
      on_true: 'body',
      on_completion: 'after',
      ...more,
    },
    body: action('end'),
    after: action('end'),
    end,
  });

const counting = ['1', '2', '3'].map((__n__) => ({ outputs: { __n__ } }));

describe('a while-condition', () => {
  test('repeats its branch until the condition is false, whose results it sees', () => {
    const told = walk(whilePlaybook(), { body: counting });

    expect(doings(told)).toEqual(['run body', 'run body', 'run body', 'run after']);
    expect(told.notes).toEqual(['loop: ongoing', 'loop: successfully_executed']);
    expect(told.raw.texts.at(-1)).toBe('the loop ended after 3 turns');
  });

  test('never walks its branch when the condition is false at once', () => {
    const told = walk(whilePlaybook(), {}, { variables: { __n__: '3' } });

    expect(doings(told)).toEqual(['run after']);
  });

  test('fails after as many turns as the guard allows', () => {
    const told = walk(whilePlaybook(), {}, { limits: { loopTurns: 5 } });

    expect(doings(told)).toEqual(Array(5).fill('run body'));
    expect(told.outcome.status).toBe('failed');
    expect(told.outcome.errors).toHaveLength(1);
    expect(told.outcome.errors[0]).toContain('The loop did not end within 5 turns.');
  });

  test('counts its turns anew at every invocation', () => {
    const playbook = aPlaybook('p', {
      start: start('outer'),
      outer: { type: 'while-condition', condition: "__n__:value != '3'", on_true: 'inner' },
      inner: {
        type: 'while-condition',
        condition: "__m__:value = 'go'",
        on_true: 'body',
        on_completion: 'count',
      },
      body: action('end'),
      count: action('end'),
      end,
    });
    const body = [{ outputs: { __m__: 'go' } }, { outputs: { __m__: 'stop' } }];
    const twice = [...body, ...body, ...body];
    const count = ['1', '2', '3'].map((__n__) => ({ outputs: { __n__, __m__: 'go' } }));

    const told = walk(
      playbook,
      { body: twice, count },
      { variables: { __m__: 'go' }, limits: { loopTurns: 3 } },
    );

    expect(told.outcome.status).toBe('successfully_executed');
    expect(doings(told).filter((doing) => doing === 'run body')).toHaveLength(6);
  });

  test('fails when its condition cannot be evaluated any more', () => {
    const told = walk(
      whilePlaybook({ condition: '__n__:value < 3', on_failure: 'after' }),
      { body: { outputs: { __n__: 'many' } } },
      { variables: { __n__: { type: 'integer', value: '1' } } },
    );

    expect(doings(told)).toEqual(['run body', 'run after']);
    expect(told.notes).toEqual(['loop: ongoing', 'loop: client_side_error']);
  });

  test('lets others have a turn when it has nothing to do but turn', () => {
    const playbook = aPlaybook('p', {
      start: start('loop'),
      loop: { type: 'while-condition', condition: "'1' = '1'", on_true: 'empty' },
      empty: end,
    });

    const told = walk(playbook, {}, { limits: { loopTurns: 100, movesPerTurn: 20 } });

    expect(told.outcome.status).toBe('failed');
    expect(told.effects.filter((effect) => effect === 'sleep 0').length).toBeGreaterThan(5);
  });

  test('takes at most ten thousand turns by default', () => {
    const playbook = aPlaybook('p', {
      start: start('loop'),
      loop: { type: 'while-condition', condition: "'1' = '1'", on_true: 'empty' },
      empty: end,
    });

    const told = walk(playbook);

    expect(told.outcome.errors[0]).toContain('within 10000 turns');
  });

  test('that fails in its branch is reported once, as failed', () => {
    const told = walk(whilePlaybook(), { body: failed('exit 1') });

    expect(told.notes).toEqual(['loop: ongoing', 'loop: failed']);
    expect(told.outcome.errors[0]).toContain('exit 1');
  });
});
