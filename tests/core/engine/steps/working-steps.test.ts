/** Actions, manual steps, parallel steps and playbook-actions, walked by the bare interpreter. */

import { describe, expect, test } from 'vitest';
import { action, aPlaybook, byPerson, end, start, targetIds } from '../../../support/a-playbook.ts';
import { doings, failed, walk } from '../../../support/a-walk.ts';

describe('start and end', () => {
  test('do nothing outside and are not reported', () => {
    const told = walk(aPlaybook('p', { start: start('end'), end }));

    expect(told.effects).toEqual(['finish successfully_executed']);
    expect(told.notes).toEqual([]);
  });
});

describe('an action', () => {
  const playbook = aPlaybook('p', { start: start('a'), a: action('b'), b: action('end'), end });

  test('is one effect for all its commands', () => {
    const told = walk(playbook);

    expect(told.effects).toEqual(['run a', 'run b', 'finish successfully_executed']);
    expect(told.raw.effects[0]).toEqual({
      kind: 'run',
      step: expect.stringMatching(/^action--/),
      invocation: 1,
      startedMs: 0,
    });
  });

  test('is reported by whoever performs it, not by the interpreter', () => {
    expect(walk(playbook, { b: failed() }).notes).toEqual([]);
  });

  test('of a person is one question per command and target, one after the other', () => {
    const manual = aPlaybook('p', {
      start: start('look'),
      look: action('end', {
        ...byPerson,
        targets: [targetIds.box, targetIds.other],
        commands: [
          { type: 'manual', command: 'first' },
          { type: 'manual', command: 'second' },
        ],
      }),
      end,
    });

    expect(doings(walk(manual))).toEqual([0, 1, 2, 3].map((n) => `ask look ${n}`));
    expect(doings(walk(manual, { look: [{}, failed()] }))).toEqual(['ask look 0', 'ask look 1']);
  });
});

const both = (more: object = {}) =>
  aPlaybook('p', {
    start: start('both'),
    both: { type: 'parallel', next_steps: ['left', 'right'], on_completion: 'after', ...more },
    left: action('end'),
    right: action('end'),
    after: action('end'),
    handled: action('end'),
    end,
  });

describe('a parallel step', () => {
  test('walks its branches in order, each seeing what the ones before it left', () => {
    const told = walk(both());

    expect(doings(told)).toEqual(['run left', 'run right', 'run after']);
    expect(told.notes).toEqual(['both: ongoing', 'both: successfully_executed']);
    expect(told.raw.texts[0]).toBe('its 2 branches run one after the other');
  });

  test('stops at the first branch that fails when they run one after the other', () => {
    const told = walk(both({ on_failure: 'handled' }), { left: failed() });

    expect(doings(told)).toEqual(['run left', 'run handled']);
    expect(told.notes).toEqual(['both: ongoing', 'both: failed']);
  });

  test('forks all its branches when they run side by side', () => {
    const told = walk(both(), {}, { parallel: 'concurrent' });

    expect(doings(told)).toEqual(['fork both', 'run left', 'run right', 'run after']);
    expect(told.raw.texts[0]).toBe('its 2 branches run side by side');
    const fork = told.raw.effects[0];
    expect(fork?.kind === 'fork' && fork.scope).toEqual([fork?.kind === 'fork' && fork.step]);
  });

  test('lets the other branches finish before it fails when they run side by side', () => {
    const told = walk(
      both({ on_failure: 'handled' }),
      { left: failed('left broke'), right: failed('right broke') },
      { parallel: 'concurrent' },
    );

    expect(doings(told)).toEqual(['fork both', 'run left', 'run right', 'run handled']);
    expect(told.notes).toEqual(['both: ongoing', 'both: failed']);
  });

  test('raises workflow_exception in the workflow itself, not in the branch that failed', () => {
    const playbook = {
      ...both(),
      workflow_exception: Object.keys(both()['workflow'] as object)[5],
    };

    const told = walk(playbook as never, { left: failed() }, { parallel: 'concurrent' });

    expect(doings(told)).toEqual(['fork both', 'run left', 'run right', 'run handled']);
    expect(told.outcome.status).toBe('exception_condition_error');
  });

  test('may stand inside a branch of another one', () => {
    const nested = aPlaybook('p', {
      start: start('outer'),
      outer: { type: 'parallel', next_steps: ['inner', 'last'], on_completion: 'end' },
      inner: { type: 'parallel', next_steps: ['left', 'right'], on_completion: 'middle' },
      left: action('end'),
      right: action('end'),
      middle: action('end'),
      last: action('end'),
      end,
    });
    const runs = ['run left', 'run right', 'run middle', 'run last'];

    expect(doings(walk(nested))).toEqual(runs);
    const told = walk(nested, {}, { parallel: 'concurrent' });
    expect(doings(told)).toEqual(['fork outer', 'fork inner', ...runs]);
    const inner = told.raw.effects[1];
    expect(inner?.kind === 'fork' && inner.scope).toHaveLength(2);
  });
});

describe('a playbook-action', () => {
  const calling = aPlaybook('p', {
    start: start('call'),
    call: {
      type: 'playbook-action',
      playbook_id: 'playbook--11111111-1111-4111-8111-111111111111',
      on_success: 'after',
      on_failure: 'handled',
    },
    after: action('end'),
    handled: action('end'),
    end,
  });

  test('is one effect, and goes on when the playbook has ended', () => {
    const told = walk(calling);

    expect(doings(told)).toEqual(['child call', 'run after']);
    expect(told.notes).toEqual(['call: ongoing', 'call: successfully_executed']);
  });

  test('fails with the playbook it has called', () => {
    const told = walk(calling, { call: failed() });

    expect(doings(told)).toEqual(['child call', 'run handled']);
    expect(told.notes).toEqual(['call: ongoing', 'call: failed']);
  });
});
