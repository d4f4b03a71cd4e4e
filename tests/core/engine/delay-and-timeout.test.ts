/** The delay before a step and the time it may take, its branches included. */

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { action, aPlaybook, byPerson, end, start } from '../../support/a-playbook.ts';
import { doings, failed, type Told, walk } from '../../support/a-walk.ts';

const timedOut = { failure: { status: 'timeout_error', error: 'too slow' } } as const;

function effectOf(told: Told, kind: string) {
  const effect = told.raw.effects.find((known) => known.kind === kind);
  if (effect === undefined || !('startedMs' in effect)) throw new Error(`There is no ${kind}.`);
  return effect;
}

describe('a delay', () => {
  test('is slept before the step begins, whatever its type', () => {
    const playbook = aPlaybook('p', {
      start: { ...start('check'), delay: 10 },
      check: {
        type: 'if-condition',
        delay: 20,
        condition: "'1' = '1'",
        on_true: 'a',
        on_completion: 'end',
      },
      a: action('end', { delay: 30 }),
      end: { type: 'end', delay: 40 },
    });

    const told = walk(playbook);

    // The end step is passed twice: at the end of the branch and at the end of the workflow.
    expect(doings(told)).toEqual([
      'sleep 10',
      'sleep 20',
      'sleep 30',
      'run a',
      'sleep 40',
      'sleep 40',
    ]);
    expect(effectOf(told, 'run').startedMs).toBe(60);
  });

  test('is slept at every turn of a loop, before the step in it and not before the condition', () => {
    const playbook = aPlaybook('p', {
      start: start('loop'),
      loop: { type: 'while-condition', delay: 5, condition: "__n__:value != '2'", on_true: 'a' },
      a: action('end', { delay: 7 }),
      end,
    });

    const told = walk(playbook, { a: [{ outputs: { __n__: '1' } }, { outputs: { __n__: '2' } }] });

    expect(doings(told)).toEqual(['sleep 5', 'sleep 7', 'run a', 'sleep 7', 'run a']);
  });

  test('of nothing or less is none', () => {
    const playbook = (delay: number) =>
      aPlaybook('p', { start: start('a'), a: action('end', { delay }), end });

    expect(doings(walk(playbook(0)))).toEqual(['run a']);
    expect(doings(walk(playbook(-5)))).toEqual(['run a']);
  });
});

describe('the timeout of an action', () => {
  test('begins after its delay and is told with the effect', () => {
    const playbook = aPlaybook('p', {
      start: start('a'),
      a: action('end', { delay: 100, timeout: 50 }),
      end,
    });

    const run = effectOf(walk(playbook), 'run');

    expect(run.startedMs).toBe(100);
    expect(run.deadlineMs).toBe(150);
  });

  test('of 0 is none', () => {
    const playbook = aPlaybook('p', { start: start('a'), a: action('end', { timeout: 0 }), end });

    expect(effectOf(walk(playbook), 'run').deadlineMs).toBeUndefined();
  });

  test('leads to on_failure when it has passed', () => {
    const playbook = aPlaybook('p', {
      start: start('a'),
      a: action('b', { timeout: 50, on_failure: 'handled' }),
      b: action('end'),
      handled: action('end'),
      end,
    });

    const told = walk(playbook, { a: timedOut });

    expect(doings(told)).toEqual(['run a', 'run handled']);
  });

  test('is the time for each question of a manual step, not for all of them', () => {
    const playbook = aPlaybook('p', {
      start: start('look'),
      look: action('end', { ...byPerson, timeout: 50 }),
      end,
    });

    expect(effectOf(walk(playbook), 'ask').deadlineMs).toBeUndefined();
  });
});

const around = {
  'an if-condition': { type: 'if-condition', condition: "'1' = '1'", on_true: 'a' },
  'a switch-condition': { type: 'switch-condition', switch: 'x', cases: { x: 'a' } },
  'a while-condition': { type: 'while-condition', condition: "'1' = '1'", on_true: 'a' },
  'a parallel step': { type: 'parallel', next_steps: ['a'] },
} as const;

for (const parallel of ['sequential', 'concurrent'] as const) {
  describe.each(Object.entries(around))(`the timeout of %s (branches ${parallel})`, (_, outer) => {
    const playbook = (more: object = {}, inner: JsonObject = {}) =>
      aPlaybook('p', {
        start: start('outer'),
        outer: { ...outer, timeout: 100, on_completion: 'after', ...more },
        a: action('b', inner),
        b: action('end'),
        after: action('end'),
        handled: action('end'),
        end,
      });

    test('bounds the steps of its branches', () => {
      const told = walk(playbook({ on_failure: 'handled' }), { a: { tookMs: 100 } }, { parallel });

      expect(doings(told).slice(-2)).toEqual(['run a', 'run handled']);
      expect(effectOf(told, 'run').deadlineMs).toBe(100);
      expect(told.notes).toEqual(['outer: ongoing', 'outer: timeout_error']);
      expect(told.outcome.status).toBe('successfully_executed');
    });

    test('lets a step that ended in time go on', () => {
      const once = outer.type === 'while-condition' ? { condition: "__n__:value = '0'" } : {};

      const told = walk(
        playbook(once),
        { a: { tookMs: 99 }, b: { outputs: { __n__: '1' } } },
        { parallel, variables: { __n__: '0' } },
      );

      expect(doings(told).slice(-3)).toEqual(['run a', 'run b', 'run after']);
      expect(told.notes).toEqual(['outer: ongoing', 'outer: successfully_executed']);
    });

    test('is what the step around is reported with when a step inside ran out of that time', () => {
      const slow = { ...timedOut, tookMs: 100 };

      const told = walk(playbook(), { a: slow }, { parallel });

      expect(told.notes).toEqual(['outer: ongoing', 'outer: timeout_error']);
      expect(told.outcome.status).toBe('failed');
    });

    test('cuts a delay inside short', () => {
      const told = walk(playbook({ on_failure: 'handled' }, { delay: 5_000 }), {}, { parallel });

      expect(doings(told).slice(-2)).toEqual(['sleep 100', 'run handled']);
      expect(told.notes).toEqual(['outer: ongoing', 'outer: timeout_error']);
    });

    test('wins over the on_failure of the steps inside', () => {
      const slow = { ...timedOut, tookMs: 100 };

      const told = walk(
        playbook({ on_failure: 'handled' }, { on_failure: 'b' }),
        { a: slow },
        { parallel },
      );

      expect(doings(told).slice(-2)).toEqual(['run a', 'run handled']);
    });
  });
}

describe('timeouts of steps around each other', () => {
  const nested = aPlaybook('p', {
    start: start('outer'),
    outer: {
      type: 'if-condition',
      condition: "'1' = '1'",
      on_true: 'inner',
      on_failure: 'handled',
      timeout: 100,
    },
    inner: {
      type: 'while-condition',
      condition: "'1' = '1'",
      on_true: 'a',
      on_failure: 'b',
      timeout: 500,
    },
    a: action('end', { timeout: 300 }),
    b: action('end'),
    handled: action('end'),
    end,
  });

  test('bind a step by the earliest of them', () => {
    expect(effectOf(walk(nested, { a: { tookMs: 200 } }), 'run').deadlineMs).toBe(100);
  });

  test('end every step they abandon in the report', () => {
    const told = walk(nested, { a: { tookMs: 100 } });

    expect(doings(told)).toEqual(['run a', 'run handled']);
    expect(told.notes).toEqual([
      'outer: ongoing',
      'inner: ongoing',
      'inner: timeout_error',
      'outer: timeout_error',
    ]);
  });
});

describe('the time of a whole walk', () => {
  const playbook = aPlaybook(
    'p',
    { start: start('a'), a: action('b'), b: action('end'), end, rescue: action('end') },
    { workflow_exception: 'rescue' },
  );

  test('ends it without an exception branch', () => {
    const told = walk(playbook, { a: { tookMs: 100 } }, { deadlineMs: 100 });

    expect(doings(told)).toEqual(['run a']);
    expect(told.outcome.status).toBe('timeout_error');
  });

  test('binds the exception branch too', () => {
    const told = walk(playbook, { a: failed() }, { deadlineMs: 100 });

    const rescue = told.raw.effects[1];
    expect(rescue?.kind === 'run' && rescue.deadlineMs).toBe(100);
  });

  test('is told to the playbook a step calls', () => {
    const calling = aPlaybook('p', {
      start: start('call'),
      call: {
        type: 'playbook-action',
        playbook_id: 'playbook--11111111-1111-4111-8111-111111111111',
        timeout: 70,
      },
    });

    expect(effectOf(walk(calling), 'child').deadlineMs).toBe(70);
  });
});
