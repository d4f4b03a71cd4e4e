/** What holds for every turn of the interpreter: purity, cancelling, failures that climb, guards. */

import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../core/engine/effects.ts';
import { beginWorkflow, next } from '../../../core/engine/next.ts';
import { action, aPlaybook, end, start } from '../../support/a-playbook.ts';
import { doings, failed, nameOf, walk } from '../../support/a-walk.ts';
import { planOf } from '../../support/dry-walk.ts';

const nested = aPlaybook('p', {
  start: start('outer'),
  outer: { type: 'if-condition', condition: "'1' = '1'", on_true: 'loop', on_completion: 'after' },
  loop: { type: 'while-condition', condition: "'1' = '1'", on_true: 'a' },
  a: action('end'),
  after: action('end'),
  end,
});
const begun: Reply = { kind: 'begun', atMs: 0, variables: {} };

describe('a turn', () => {
  test('changes neither the plan nor the state nor the reply it is given', () => {
    const plan = deepFrozen(planOf(nested));
    const first = next(plan, deepFrozen(beginWorkflow(plan)), deepFrozen(begun));

    const again = next(plan, deepFrozen(first.state), deepFrozen({ ...begun, kind: 'done' }));

    expect(again.effect).toMatchObject({ kind: 'run', invocation: 5 });
  });

  test('answers the same whenever it is asked the same', () => {
    const plan = planOf(nested);

    expect(next(plan, beginWorkflow(plan), begun)).toEqual(next(plan, beginWorkflow(plan), begun));
  });

  test('gives a state that survives being written down', () => {
    const plan = planOf(nested);

    const turn = next(plan, beginWorkflow(plan, 1_000), begun);

    expect(JSON.parse(JSON.stringify(turn))).toEqual(turn);
  });

  test('notes with every step which steps stand around it', () => {
    const { notes } = next(planOf(nested), beginWorkflow(planOf(nested)), begun);

    expect(notes.map(({ scope }) => scope.map((step) => nameOf(nested, step)))).toEqual([
      ['outer'],
      ['outer', 'loop'],
    ]);
  });
});

describe('a cancelled walk', () => {
  const cancelled: Reply = {
    kind: 'cancelled',
    reason: 'Somebody said so.',
    atMs: 5,
    variables: {},
  };

  test('ends at once, and every step that was being walked is reported as ended', () => {
    const plan = planOf({
      ...nested,
      workflow_exception: Object.keys(workflowOf(nested))[4] ?? '',
    });
    const first = next(plan, beginWorkflow(plan), begun);

    const { effect, notes } = next(plan, first.state, cancelled);

    expect(effect).toEqual({
      kind: 'finish',
      outcome: { status: 'failed', errors: ['Somebody said so.'] },
    });
    expect(notes.map(({ step, status }) => `${nameOf(nested, step)}: ${status}`)).toEqual([
      'a: failed',
      'loop: failed',
      'outer: failed',
    ]);
  });

  test('says nothing of a step whose delay it was sleeping', () => {
    const playbook = aPlaybook('p', { start: start('a'), a: action('end', { delay: 9 }), end });
    const plan = planOf(playbook);
    const first = next(plan, beginWorkflow(plan), begun);

    expect(next(plan, first.state, cancelled).notes).toEqual([]);
  });

  test('may be cancelled before it has begun', () => {
    const plan = planOf(nested);

    expect(next(plan, beginWorkflow(plan), cancelled)).toMatchObject({
      effect: { kind: 'finish', outcome: { status: 'failed' } },
      notes: [],
    });
  });
});

describe('a failure nobody handles', () => {
  const steps = {
    start: start('outer'),
    outer: { type: 'if-condition', condition: "'1' = '1'", on_true: 'loop', on_completion: 'end' },
    loop: { type: 'while-condition', condition: "'1' = '1'", on_true: 'a' },
    a: action('end'),
    rescue: action('last'),
    last: action('end'),
    end,
  } as const;

  test('names the step it came from and its error', () => {
    const playbook = aPlaybook('p', steps);

    const { outcome } = walk(playbook, { a: failed('exit 1') });

    expect(outcome.status).toBe('failed');
    expect(outcome.errors).toEqual([expect.stringMatching(/^Step action--\S+ failed: exit 1$/)]);
  });

  test('abandons the whole nesting before the exception branch begins, which runs to its end', () => {
    const playbook = aPlaybook('p', steps, { workflow_exception: 'rescue' });

    const told = walk(playbook, { a: failed() });

    expect(doings(told)).toEqual(['run a', 'run rescue', 'run last']);
    expect(told.notes).toEqual([
      'outer: ongoing',
      'loop: ongoing',
      'loop: failed',
      'outer: failed',
    ]);
    expect(told.outcome.status).toBe('exception_condition_error');
    expect(told.outcome.errors).toHaveLength(1);
  });

  test('in the exception branch does not begin it again', () => {
    const playbook = aPlaybook('p', steps, { workflow_exception: 'rescue' });

    const told = walk(playbook, { a: failed('one'), last: failed('two') });

    expect(doings(told)).toEqual(['run a', 'run rescue', 'run last']);
    expect(told.outcome.status).toBe('failed');
    expect(told.outcome.errors).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
    ]);
  });

  test('of a forked branch keeps its kind for the step that forked it', () => {
    const playbook = aPlaybook('p', {
      start: start('both'),
      both: { type: 'parallel', next_steps: ['a'], on_completion: 'end' },
      a: action('end'),
      end,
    });
    const late = { failure: { status: 'timeout_error', error: 'too late' } } as const;

    const told = walk(playbook, { a: late }, { parallel: 'concurrent' });

    expect(told.notes).toEqual(['both: ongoing', 'both: timeout_error']);
  });
});

describe('many control steps in a row', () => {
  test('are walked in several turns, so that others get theirs', () => {
    const names = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const switches = names.map((name, index) => [
      name,
      {
        type: 'switch-condition',
        switch: 'x',
        cases: {},
        on_completion: names[index + 1] ?? 'end',
      },
    ]);
    const playbook = aPlaybook('p', { start: start('s0'), ...Object.fromEntries(switches), end });

    const told = walk(playbook, {}, { limits: { movesPerTurn: 10 } });

    expect(told.effects).toEqual(['sleep 0', 'sleep 0', 'sleep 0', 'finish successfully_executed']);
    expect(told.notes).toHaveLength(30);
  });
});

function workflowOf(playbook: ReturnType<typeof aPlaybook>): object {
  return playbook['workflow'] as object;
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}
