import { describe, expect, test } from 'vitest';
import { validatePlaybook } from '../../../../core/cacao/validation/validate-playbook.ts';
import {
  action,
  end,
  findingsOf,
  id,
  type Members,
  options,
  playbook,
  rulesOf,
  start,
} from './draft-playbook.ts';

const first = id('action', 1);
const second = id('action', 2);
const third = id('action', 3);
const decision = id('if-condition');
const loop = id('while-condition');
const fork = id('parallel');

describe('loops', () => {
  test('a step that leads back is refused', () => {
    const json = playbook({
      [first]: action({ on_completion: second }),
      [second]: action({ on_completion: first }),
    });

    expect(findingsOf(json)).toEqual([
      `loop /workflow/${second}/on_completion: Step ${second} leads back to ${first}; only while-condition repeats steps.`,
    ]);
  });

  test('a step that leads to itself is refused, also where nothing reaches it', () => {
    const json = playbook({ [first]: action(), [second]: action({ on_failure: second }) });

    expect(rulesOf(json)).toContain(`loop /workflow/${second}/on_failure`);
  });

  test('a branch that leads back to the step that opened it is refused', () => {
    const json = playbook({
      [loop]: { type: 'while-condition', condition: 'a = b', on_true: first, on_completion: end },
      [first]: action({ on_completion: loop }),
    });

    expect(rulesOf(json)).toContain(`loop /workflow/${first}/on_completion`);
  });

  test('while-condition is how to repeat', () => {
    const json = playbook({
      [loop]: { type: 'while-condition', condition: 'a = b', on_true: first, on_completion: end },
      [first]: action({ on_completion: id('end', 2) }),
      [id('end', 2)]: { type: 'end' },
    });

    expect(rulesOf(json)).toEqual([]);
  });

  test('a ladder of eighty diamonds takes milliseconds', () => {
    const json = playbook(ladder(80));
    validatePlaybook(json, options);

    const started = performance.now();
    const { valid } = validatePlaybook(json, options);

    expect(valid).toBe(true);
    expect(performance.now() - started).toBeLessThan(50);
  });

  test('two thousand steps take well under a tenth of a second', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 2000 }, (_, n) => [
        id('action', n + 1),
        action({ on_completion: n === 1999 ? end : id('action', n + 2) }),
      ]),
    );
    const json = playbook(chain);
    validatePlaybook(json, options);

    const started = performance.now();
    const { findings } = validatePlaybook(json, options);

    expect(findings).toEqual([]);
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe('ends', () => {
  test('a step without a successor ends its branch, with a warning', () => {
    const { on_completion: _, ...last } = action();

    expect(findingsOf(playbook({ [first]: last }))).toEqual([
      `branch-without-end /workflow/${first}: Step ${first} has no next step, so its branch ends there.`,
    ]);
  });

  test('a branching step needs none, its branches have theirs', () => {
    expect(
      rulesOf(playbook({ [decision]: { type: 'if-condition', condition: 'a = a', on_true: end } })),
    ).toEqual([]);
  });

  test('steps nobody can reach are pointed out', () => {
    const lost = { [second]: action({ on_completion: third }), [third]: action() };
    expect(rulesOf(playbook({ [first]: action(), ...lost }))).toEqual([
      `unreachable /workflow/${second}`,
      `unreachable /workflow/${third}`,
    ]);
  });

  test('the exception branch is reachable', () => {
    expect(
      rulesOf(playbook({ [first]: action(), [second]: action() }, { workflow_exception: second })),
    ).toEqual([]);
  });

  test('a workflow that does not begin with a start step is pointed out', () => {
    expect(rulesOf(playbook({ [first]: action() }, { workflow_start: first }))).toEqual([
      'start-type /workflow_start',
      `unreachable /workflow/${start}`,
    ]);
  });
});

describe('successors', () => {
  test('on_completion beside on_success or on_failure is pointed out', () => {
    expect(rulesOf(playbook({ [first]: action({ on_failure: end }) }))).toEqual([
      `ambiguous-successor /workflow/${first}/on_completion`,
    ]);
  });

  test('failures nobody handles are pointed out once', () => {
    const json = playbook(
      { [first]: action({ on_completion: second }), [second]: action() },
      { workflow_exception: undefined },
    );

    expect(rulesOf(JSON.parse(JSON.stringify(json)))).toEqual(['no-exception-handling ']);
  });

  test('a playbook that runs itself is pointed out', () => {
    const call = id('playbook-action');
    const json = playbook({
      [call]: { type: 'playbook-action', playbook_id: id('playbook'), on_completion: end },
    });

    expect(rulesOf(json)).toEqual([`calls-itself /workflow/${call}/playbook_id`]);
  });
});

describe('continuations', () => {
  const shared = `shared-continuation /workflow/${third}`;

  test('a branch that runs into the step behind its branching step is pointed out', () => {
    const json = playbook({
      [decision]: {
        type: 'if-condition',
        condition: 'a = a',
        on_true: first,
        on_completion: third,
      },
      [first]: action({ on_completion: third }),
      [third]: action(),
    });

    expect(rulesOf(json)).toEqual([shared]);
  });

  test('parallel branches that meet are pointed out', () => {
    const json = playbook({
      [fork]: { type: 'parallel', next_steps: [first, second], on_completion: end },
      [first]: action({ on_completion: third }),
      [second]: action({ on_completion: third }),
      [third]: action(),
    });

    expect(rulesOf(json)).toEqual([shared]);
  });

  test('branches of an if that meet are fine when nothing follows the if', () => {
    const json = playbook({
      [decision]: { type: 'if-condition', condition: 'a = a', on_true: first, on_false: second },
      [first]: action({ on_completion: third }),
      [second]: action({ on_completion: third }),
      [third]: action(),
    });

    expect(rulesOf(json)).toEqual([]);
  });

  test('a common end step is fine', () => {
    const json = playbook({
      [decision]: {
        type: 'if-condition',
        condition: 'a = a',
        on_true: first,
        on_completion: third,
      },
      [first]: action({ on_completion: end }),
      [third]: action(),
    });

    expect(rulesOf(json)).toEqual([]);
  });
});

/** Decisions whose branches meet at the next decision: exponentially many paths, few edges. */
function ladder(rungs: number): Members {
  const steps: { [key: string]: Members } = {};
  for (let n = 1; n <= rungs; n += 1) {
    const left = id('action', 2 * n);
    const right = id('action', 2 * n + 1);
    const next = n === rungs ? end : id('if-condition', n + 1);
    steps[id('if-condition', n)] = {
      type: 'if-condition',
      condition: 'a = a',
      on_true: left,
      on_false: right,
    };
    steps[left] = action({ on_completion: next });
    steps[right] = action({ on_completion: next });
  }
  return steps;
}
