/** Which variables a step sees, which it leaves behind, and which of them the report shows. */

import { describe, expect, test } from 'vitest';
import { parsePlaybookId } from '../../../../core/cacao/ids.ts';
import { mainWalk } from '../../../../core/execution/ids.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { aBench, type Performer, type TestBench } from '../../../support/a-bench.ts';
import { action, aPlaybook, end, playbookIdOf, start } from '../../../support/a-playbook.ts';
import { type Ran, run } from '../../../support/run-playbook.ts';

const says = (text: string) => ({ commands: [{ type: 'http-api', command: text }] });
const text = (value?: string) => ({ type: 'string', ...(value === undefined ? {} : { value }) });
const declared = (...names: string[]) => ({
  playbook_variables: Object.fromEntries(names.map((name) => [name, text(`old ${name}`)])),
});

/** Commands are answered by their first word: `set __a__ 1 __b__ 2`, `fail ...`, others succeed. */
const setter: Performer = ({ text: command }) => {
  const [verb, ...words] = command.split(' ');
  const values = Object.fromEntries(
    words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])),
  );
  if (verb === 'fail') return { ok: false, status: 'failed', error: 'no', values };
  return { ok: true, values: verb === 'set' ? values : {} };
};

async function endScope(bench: TestBench, ran: Ran): Promise<{ [name: string]: unknown }> {
  const open = await bench.stores.journal.open(ran.report.run.executionId, mainWalk);
  return Object.fromEntries(
    Object.entries(open?.variables ?? {}).map(([name, { value }]) => [name, value]),
  );
}

function shown(ran: Ran, name: string): { [name: string]: unknown } {
  const step = ran.report.steps.find(({ latest }) => latest.name === name);
  return Object.fromEntries(
    Object.entries(step?.latest.variables ?? {}).map(([key, { value }]) => [key, value]),
  );
}

describe('variables of a step itself', () => {
  const steps = {
    start: start('a'),
    a: action('b', { ...says('see __x__:value'), step_variables: { __x__: text('own') } }),
    b: action('end', says('see __x__:value')),
    end,
  };

  test('win over those of the playbook in the step, and are gone after it', async () => {
    const ran = await run(aBench(), aPlaybook('p', steps, declared('__x__')));

    expect(ran.performed).toEqual(['see own', 'see old __x__']);
    expect(shown(ran, 'a')).toEqual({ __x__: 'own' });
    expect(shown(ran, 'b')).toEqual({ __x__: 'old __x__' });
  });

  test('hide a result of the same name even when they are empty', async () => {
    const bench = aBench(setter);
    const playbook = aPlaybook('p', {
      start: start('a'),
      a: action('b', says('set __x__ new')),
      b: action('c', { ...says('see [__x__:value]'), step_variables: { __x__: text() } }),
      c: action('end', says('see [__x__:value]')),
      end,
    });

    const ran = await run(bench, playbook);

    expect(ran.performed.slice(1)).toEqual(['see []', 'see [new]']);
  });

  test('of a branching step are seen in its branches and not shown with steps outside', async () => {
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: {
        type: 'if-condition',
        condition: "__x__:value = 'own'",
        on_true: 'inner',
        on_completion: 'after',
        step_variables: { __x__: text('own') },
      },
      inner: action('end', says('see __x__:value')),
      after: action('end', { ...says('see __x__:value'), step_variables: { __z__: text('z') } }),
      end,
    });

    const ran = await run(aBench(), playbook);

    expect(ran.performed).toEqual(['see own', 'see __x__:value']);
    expect(shown(ran, 'check')).toEqual({ __x__: 'own' });
    expect(shown(ran, 'inner')).toEqual({ __x__: 'own' });
    expect(shown(ran, 'after')).toEqual({ __z__: 'z' });
  });

  test('do not leak from a branching step that takes no branch', async () => {
    const bench = aBench();
    const playbook = aPlaybook('p', {
      start: start('check'),
      check: {
        type: 'if-condition',
        condition: "'a' = 'b'",
        on_true: 'end',
        on_completion: 'end',
        step_variables: { __x__: text('own') },
      },
      end,
    });

    expect(await endScope(bench, await run(bench, playbook))).toEqual({});
  });
});

describe('results', () => {
  const playbook = (a: JsonObject, more = {}) =>
    aPlaybook(
      'p',
      { start: start('a'), a: action('end', a), end },
      { ...declared('__x__'), ...more },
    );

  test('of a successful step are seen everywhere afterwards, keeping the declared type', async () => {
    const bench = aBench(setter);
    const more = { playbook_variables: { __x__: { type: 'integer', value: '1', constant: true } } };

    const ran = await run(bench, playbook(says('set __x__ 2 __new__ 3'), more));

    const open = await bench.stores.journal.open(ran.report.run.executionId, mainWalk);
    expect(open?.variables).toEqual({
      __x__: { type: 'integer', value: '2', constant: true },
      __new__: { type: 'string', value: '3' },
    });
  });

  test('are only those that out_args lists, in either of its forms', async () => {
    for (const out_args of [['__y__'], { __y__: text() }]) {
      const bench = aBench(setter);
      const ran = await run(bench, playbook({ ...says('set __x__ 2 __y__ 3'), out_args }));

      expect(await endScope(bench, ran)).toEqual({ __x__: 'old __x__', __y__: '3' });
      expect(shown(ran, 'a')).toEqual({ __x__: '2', __y__: '3' });
    }
  });

  test('are all of them when out_args lists none', async () => {
    const bench = aBench(setter);

    const ran = await run(bench, playbook({ ...says('set __x__ 2'), out_args: [] }));

    expect(await endScope(bench, ran)).toEqual({ __x__: '2' });
  });

  test('of a failed step leave the scope untouched but are in the report', async () => {
    const bench = aBench(setter);
    const commands = ['set __x__ 1', 'fail __y__ 2'].map((command) => ({
      type: 'http-api',
      command,
    }));

    const ran = await run(bench, playbook({ commands }));

    expect(await endScope(bench, ran)).toEqual({ __x__: 'old __x__' });
    expect(shown(ran, 'a')).toEqual({ __x__: '1', __y__: '2' });
  });

  test('of one command are not seen by the next of the same step, and later ones win', async () => {
    const bench = aBench(setter);
    const commands = ['set __x__ 1', 'see __x__:value', 'set __x__ 2'].map((command) => ({
      type: 'http-api',
      command,
    }));

    const ran = await run(bench, playbook({ commands }));

    expect(ran.performed[1]).toBe('see old __x__');
    expect(await endScope(bench, ran)).toEqual({ __x__: '2' });
  });

  test('of steps inside a nesting are seen in the exception branch', async () => {
    for (const parallel of ['sequential', 'concurrent'] as const) {
      const bench = aBench(setter, { parallel });
      const nested = aPlaybook(
        'p',
        {
          start: start('both'),
          both: { type: 'parallel', next_steps: ['a'], on_completion: 'end' },
          a: action('b', says('set __x__ 1')),
          b: action('end', says('fail')),
          end,
          rescue: action('end', says('see __x__:value')),
        },
        { workflow_exception: 'rescue' },
      );

      expect((await run(bench, nested)).performed.at(-1)).toBe('see 1');
    }
  });

  test('of concurrent branches are merged in branch order, whoever was faster', async () => {
    const bench = aBench(setter, { parallel: 'concurrent' });
    const forked = aPlaybook('p', {
      start: start('both'),
      both: { type: 'parallel', next_steps: ['a', 'b'], on_completion: 'after' },
      a: action('end', says('set __x__ left __l__ 1')),
      b: action('end', says('set __x__ right __r__ 1')),
      after: action('end', says('see __x__:value __l__:value __r__:value')),
      end,
    });

    expect((await run(bench, forked)).performed.at(-1)).toBe('see right 1 1');
  });

  test('are stored in a nested scope of large inherited values without repeating those', async () => {
    const big = 'x'.repeat(20_000);
    const bench = aBench(setter);
    const more = { playbook_variables: { __big__: text(big), __x__: text('small') } };

    const ran = await run(bench, playbook(says('set __y__ 1'), more));

    expect(shown(ran, 'a')).toEqual({ __x__: 'small', __y__: '1' });
    expect(await endScope(bench, ran)).toEqual({ __big__: big, __x__: 'small', __y__: '1' });
  });

  test('are shown whole however large they are', async () => {
    const big = 'x'.repeat(20_000);

    const ran = await run(aBench(setter), playbook(says(`set __x__ ${big}`)));

    expect(shown(ran, 'a')).toEqual({ __x__: big });
  });
});

describe('a called playbook', () => {
  const child = (more: JsonObject = {}) =>
    aPlaybook(
      'child',
      {
        start: start('work'),
        work: action('end', says('set __seen__ __x__:value __y__ changed __other__ o')),
        end,
      },
      more,
    );
  const parent = (call: JsonObject = {}, more: JsonObject = {}) =>
    aPlaybook(
      'parent',
      {
        start: start('call'),
        call: {
          type: 'playbook-action',
          playbook_id: playbookIdOf('child'),
          on_completion: 'end',
          ...call,
        },
        end,
      },
      { ...declared('__x__', '__y__'), ...more },
    );

  async function ranWith(bench: TestBench, called: JsonObject, calling: JsonObject) {
    const id = parsePlaybookId(playbookIdOf('child'));
    if (id !== undefined) await bench.stores.playbooks.add(id, called);
    return run(bench, calling);
  }

  test('gets the variables of its caller, those of the calling step included', async () => {
    const bench = aBench(setter);
    const called = child();

    const ran = await ranWith(bench, called, parent({ step_variables: { __x__: text('own') } }));

    expect(await endScope(bench, ran)).toMatchObject({ __seen__: 'own' });
  });

  test('keeps its own variable where the names collide', async () => {
    const bench = aBench(setter);
    const called = child({ playbook_variables: { __x__: text('mine') } });

    const ran = await ranWith(bench, called, parent());

    expect(await endScope(bench, ran)).toMatchObject({ __seen__: 'mine', __x__: 'old __x__' });
  });

  test('hands back what its steps wrote, and nothing it was only given', async () => {
    const bench = aBench(setter);
    const called = child({ playbook_variables: { __x__: text('mine'), __own__: text('kept') } });

    const ran = await ranWith(bench, called, parent());

    expect(await endScope(bench, ran)).toEqual({
      __x__: 'old __x__',
      __y__: 'changed',
      __seen__: 'mine',
      __other__: 'o',
    });
  });

  test('hands back only what out_args of the calling step lists', async () => {
    const bench = aBench(setter);
    const called = child({ playbook_variables: { __x__: text('mine') } });

    const ran = await ranWith(bench, called, parent({ out_args: ['__other__'] }));

    expect(await endScope(bench, ran)).toEqual({
      __x__: 'old __x__',
      __y__: 'old __y__',
      __other__: 'o',
    });
  });

  test('that fails hands back nothing and fails the calling step', async () => {
    const bench = aBench(setter);
    const failing = aPlaybook('child', {
      start: start('work'),
      work: action('last', says('set __y__ changed')),
      last: action('end', says('fail')),
      end,
    });

    const ran = await ranWith(bench, failing, parent());

    expect(ran.status).toBe('failed');
    expect(await endScope(bench, ran)).toMatchObject({ __y__: 'old __y__' });
    expect(ran.report.steps[0]?.latest.errors[0]).toMatch(/^The called playbook ended as failed: /);
  });
});

test('a run changes neither the stored playbook nor the one it was given', async () => {
  const bench = aBench(setter);
  const playbook = aPlaybook(
    'p',
    {
      start: start('a'),
      a: action('end', {
        commands: [
          { type: 'http-api', command: 'set __x__ __ext__:value', headers: { h: ['__x__:value'] } },
        ],
        step_variables: { __s__: text('s') },
      }),
      end,
    },
    { playbook_variables: { __x__: text('old'), __ext__: { ...text('e'), external: true } } },
  );
  const before = structuredClone(playbook);
  const id = parsePlaybookId(playbookIdOf('p'));
  if (id !== undefined) await bench.stores.playbooks.add(id, playbook);

  await run(bench, playbook, { __ext__: { type: 'string', value: 'given' } });
  await run(bench, playbook);

  expect(playbook).toEqual(before);
  expect(id && (await bench.stores.playbooks.get(id))).toEqual(before);
  expect(bench.performed).toEqual(['set __x__ given', 'set __x__ e']);
});
