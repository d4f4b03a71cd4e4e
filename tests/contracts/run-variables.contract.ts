/** What every RunJournal promises of variables and their scopes. */

import { expect, test } from 'vitest';
import { mainWalk } from '../../core/execution/ids.ts';
import { aCommit, aNewRun, aWalk, executionId, text, walkId } from './builders.ts';
import { begun, type CreateStores, opened } from './opened.ts';

const run = executionId(1);

export function runVariablesContract(create: CreateStores): void {
  test('a walk sees what the run began with, overlaid by what it wrote', async () => {
    const { journal, runs } = await opened(create);
    const initial = { __kept__: text('initial'), __changed__: text('initial') };
    await runs.create(aNewRun(1, { variables: initial }));

    await journal.commit(
      aCommit(1, 0, { variables: { __changed__: text('1'), __new__: text('1') } }),
    );
    await journal.commit(aCommit(1, 1, { variables: { __changed__: text('2') } }));

    expect((await journal.open(run, mainWalk))?.variables).toEqual({
      __kept__: text('initial'),
      __changed__: text('2'),
      __new__: text('1'),
    });
    expect(await journal.written(run, mainWalk)).toEqual({
      __changed__: text('2'),
      __new__: text('1'),
    });
  });

  test('a variable is replaced whole, and kept exactly', async () => {
    const { journal } = await begun(create);
    const unusual = { type: 'string', value: '\u0000 \ud800 😀 " \\', constant: false };
    await journal.commit(
      aCommit(1, 0, {
        variables: { __a__: { type: 'string', description: 'old', external: true, value: 'old' } },
      }),
    );

    await journal.commit(
      aCommit(1, 1, { variables: { __a__: { type: 'integer' }, __proto__x__: unusual } }),
    );

    const open = await journal.open(run, mainWalk);
    expect(open?.variables).toStrictEqual({ __a__: { type: 'integer' }, __proto__x__: unusual });
  });

  test('names the language knows are variables like any other', async () => {
    const { journal } = await begun(create);
    const named = Object.fromEntries(
      ['__proto__', '__defineGetter__', '__a-b__', '__A__', '__a__'].map((name) => [
        name,
        text(name),
      ]),
    );

    await journal.commit(aCommit(1, 0, { variables: named }));

    const open = await journal.open(run, mainWalk);
    const byName = ([left]: [string, unknown], [right]: [string, unknown]) =>
      left < right ? -1 : 1;
    expect(Object.entries(open?.variables ?? {}).sort(byName)).toEqual(
      Object.entries(named).sort(byName),
    );
  });

  test('a branch sees the variables of the walks around it, inner ones winning', async () => {
    const { journal, runs } = await opened(create);
    const [outer, inner, sibling] = ['w.1-0', 'w.1-0.1-10', 'w.1-1'].map(walkId);
    if (!outer || !inner || !sibling) throw new Error('unreachable');
    const all = (who: string, ...names: string[]) =>
      Object.fromEntries(names.map((name) => [`__${name}__`, text(who)]));
    await runs.create(aNewRun(1, { variables: all('initial', 'a', 'b', 'c', 'd') }));
    const forked = (...ids: (typeof outer)[]) => ids.map((id) => aWalk(0, { walkId: id }));
    await journal.commit(
      aCommit(1, 0, { variables: all('main', 'b', 'c', 'd'), walks: forked(outer, sibling) }),
    );
    await journal.commit(
      aCommit(1, 0, { walkId: outer, variables: all('outer', 'c', 'd'), walks: forked(inner) }),
    );
    await journal.commit(aCommit(1, 0, { walkId: inner, variables: all('inner', 'd', 'e') }));
    await journal.commit(aCommit(1, 0, { walkId: sibling, variables: all('sibling', 'a', 'e') }));

    const seen = async (id: typeof outer) =>
      Object.values((await journal.open(run, id))?.variables ?? {}).map(({ value }) => value);

    expect((await seen(inner)).sort()).toEqual(['initial', 'inner', 'inner', 'main', 'outer']);
    expect((await seen(outer)).sort()).toEqual(['initial', 'main', 'outer', 'outer']);
    expect((await seen(mainWalk)).sort()).toEqual(['initial', 'main', 'main', 'main']);
    expect(await journal.written(run, inner)).toEqual(all('inner', 'd', 'e'));
    expect(await journal.written(run, outer)).toEqual(all('outer', 'c', 'd'));
  });

  test('a joined branch is gone with its variables; what the parent merged stays', async () => {
    const { journal } = await begun(create);
    const [left, right] = [walkId('w.1-0'), walkId('w.1-1')];
    const walks = [left, right].map((id) => aWalk(0, { walkId: id }));
    await journal.commit(aCommit(1, 0, { walks }));
    await journal.commit(aCommit(1, 0, { walkId: left, variables: { __l__: text('l') } }));
    await journal.commit(aCommit(1, 0, { walkId: right, variables: { __r__: text('r') } }));

    const merged = await journal.written(run, left);
    await journal.commit(aCommit(1, 1, { variables: merged, joined: [left] }));

    expect(await journal.open(run, left)).toBeUndefined();
    expect(await journal.written(run, left)).toEqual({});
    expect(await journal.commit(aCommit(1, 1, { walkId: left }))).toBe('stale');
    expect((await journal.open(run, mainWalk))?.variables).toEqual({ __l__: text('l') });
    expect(await journal.written(run, right)).toEqual({ __r__: text('r') });
  });

  test('a value of 5 MB is kept whole', async () => {
    const { journal } = await begun(create);
    const large = text('😀'.repeat(1_250_000));

    await journal.commit(aCommit(1, 0, { variables: { __large__: large } }));
    await journal.commit(aCommit(1, 1, { variables: { __small__: text('s') } }));

    const open = await journal.open(run, mainWalk);
    expect(open?.variables['__large__']?.value === large.value).toBe(true);
    expect(open?.variables['__small__']).toEqual(text('s'));
  });
}
