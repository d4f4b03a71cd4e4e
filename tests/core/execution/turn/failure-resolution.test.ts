/** on_completion, on_success, on_failure and workflow_exception, at every level of nesting. */

import { describe, expect, test } from 'vitest';
import { aBench, type Performer } from '../../../support/a-bench.ts';
import { action, aPlaybook, end, start } from '../../../support/a-playbook.ts';
import { run } from '../../../support/run-playbook.ts';

/** Commands of the named steps fail, all others succeed. */
const failing =
  (...names: string[]): Performer =>
  ({ text }) =>
    names.some((name) => text === `GET /${name} HTTP/1.1`)
      ? { ok: false, status: 'failed', error: `${text} refused` }
      : { ok: true, values: {} };

describe('a step of the workflow itself', () => {
  test('goes to on_success rather than on_completion when it succeeds', async () => {
    const bench = aBench();
    const ran = await run(
      bench,
      aPlaybook('p', {
        start: start('a'),
        a: action('b', { on_success: 'c' }),
        b: action('end'),
        c: action('end'),
        end,
      }),
    );

    expect(ran.performed).toEqual(['GET /a HTTP/1.1', 'GET /c HTTP/1.1']);
    expect(ran.status).toBe('successfully_executed');
  });

  test('goes to on_failure when it fails, and the execution may still succeed', async () => {
    const ran = await run(
      aBench(failing('a')),
      aPlaybook('p', {
        start: start('a'),
        a: action('b', { on_failure: 'c' }),
        b: action('end'),
        c: action('end'),
        end,
      }),
    );

    expect(ran.performed).toEqual(['GET /a HTTP/1.1', 'GET /c HTTP/1.1']);
    expect(ran.steps).toEqual(['a: failed', 'c: successfully_executed']);
    expect(ran.status).toBe('successfully_executed');
  });

  test('does not follow on_completion after a failure', async () => {
    const ran = await run(
      aBench(failing('a')),
      aPlaybook('p', { start: start('a'), a: action('b'), b: action('end'), end }),
    );

    expect(ran.performed).toEqual(['GET /a HTTP/1.1']);
    expect(ran.status).toBe('failed');
    expect(ran.report.run.errors).toHaveLength(1);
    expect(ran.report.run.errors[0]).toContain('GET /a HTTP/1.1 refused');
  });

  test('raises workflow_exception when it fails without on_failure', async () => {
    const ran = await run(
      aBench(failing('a')),
      aPlaybook(
        'p',
        { start: start('a'), a: action('b'), b: action('end'), end, rescue: action('end') },
        { workflow_exception: 'rescue' },
      ),
    );

    expect(ran.performed).toEqual(['GET /a HTTP/1.1', 'GET /rescue HTTP/1.1']);
    expect(ran.status).toBe('exception_condition_error');
  });

  test('ends the execution as failed when the exception branch fails too, naming both errors', async () => {
    const ran = await run(
      aBench(failing('a', 'rescue')),
      aPlaybook(
        'p',
        { start: start('a'), a: action('end'), end, rescue: action('end') },
        { workflow_exception: 'rescue' },
      ),
    );

    expect(ran.status).toBe('failed');
    expect(ran.report.run.errors).toHaveLength(2);
  });

  test('may use on_failure inside the exception branch', async () => {
    const ran = await run(
      aBench(failing('a', 'rescue')),
      aPlaybook(
        'p',
        {
          start: start('a'),
          a: action('end'),
          end,
          rescue: action('end', { on_failure: 'last' }),
          last: action('end'),
        },
        { workflow_exception: 'rescue' },
      ),
    );

    expect(ran.performed.at(-1)).toBe('GET /last HTTP/1.1');
    expect(ran.status).toBe('exception_condition_error');
  });

  test('without a successor ends its branch as an end step would', async () => {
    const ran = await run(aBench(), aPlaybook('p', { start: start('a'), a: action() }));

    expect(ran.status).toBe('successfully_executed');
  });
});

const nests = {
  'an if-condition': {
    type: 'if-condition',
    condition: "'1' = '1'",
    on_true: 'inner',
    on_completion: 'after',
  },
  'a switch-condition': {
    type: 'switch-condition',
    switch: 'x',
    cases: { x: 'inner' },
    on_completion: 'after',
  },
  'a while-condition': {
    type: 'while-condition',
    condition: "'1' = '1'",
    on_true: 'inner',
    on_completion: 'after',
  },
  'a parallel step': { type: 'parallel', next_steps: ['inner'], on_completion: 'after' },
} as const;

for (const parallel of ['sequential', 'concurrent'] as const) {
  describe.each(Object.entries(nests))(
    `a failing step inside %s (branches ${parallel})`,
    (_, nest) => {
      const bench = () => aBench(failing('inner'), { parallel });
      const playbook = (outer: object, inner: object, more = {}) =>
        aPlaybook(
          'p',
          {
            start: start('nest'),
            nest: { ...nest, ...outer },
            inner: action('inner-end', { ...inner }),
            'inner-end': end,
            handled: action('inner-end'),
            after: action('end'),
            end,
            rescue: action('end'),
          },
          more,
        );

      test('is handled by its own on_failure, and the branch goes on', async () => {
        const once = nest.type === 'while-condition' ? { condition: "__n__:value = '0'" } : {};
        const own = aBench(
          ({ text }) =>
            text.includes('/inner')
              ? { ok: false, status: 'failed', error: 'refused' }
              : { ok: true, values: text.includes('handled') ? { __n__: '1' } : {} },
          { parallel },
        );
        const variables = { playbook_variables: { __n__: { type: 'string', value: '0' } } };

        const ran = await run(own, playbook(once, { on_failure: 'handled' }, variables));

        expect(ran.performed).toEqual([
          'GET /inner HTTP/1.1',
          'GET /handled HTTP/1.1',
          'GET /after HTTP/1.1',
        ]);
        expect(ran.status).toBe('successfully_executed');
      });

      test('is handled by the on_failure of the step around it before workflow_exception', async () => {
        const ran = await run(
          bench(),
          playbook({ on_failure: 'handled' }, {}, { workflow_exception: 'rescue' }),
        );

        expect(ran.performed).toEqual(['GET /inner HTTP/1.1', 'GET /handled HTTP/1.1']);
        expect(ran.steps).toContain('nest: failed');
        expect(ran.status).toBe('successfully_executed');
      });

      test('raises workflow_exception, and the nesting is abandoned', async () => {
        const ran = await run(bench(), playbook({}, {}, { workflow_exception: 'rescue' }));

        expect(ran.performed).toEqual(['GET /inner HTTP/1.1', 'GET /rescue HTTP/1.1']);
        expect(ran.steps).toContain('nest: failed');
        expect(ran.status).toBe('exception_condition_error');
      });

      test('fails the execution when nobody handles it', async () => {
        const ran = await run(bench(), playbook({}, {}));

        expect(ran.performed).toEqual(['GET /inner HTTP/1.1']);
        expect(ran.steps.toSorted()).toEqual(['inner: failed', 'nest: failed']);
        expect(ran.status).toBe('failed');
      });
    },
  );
}
