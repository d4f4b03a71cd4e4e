/** What every DocumentTable promises. */

import { expect, onTestFinished, test } from 'vitest';
import {
  type Document,
  type DocumentDatabase,
  type DocumentQuery,
  LONGEST_TEXT,
} from '../../infra/stores/documents/document-table.ts';

export function documentTableContract(create: () => Promise<DocumentDatabase>): void {
  async function fresh() {
    const database = await create();
    onTestFinished(() => database.close());
    return database.table('lists');
  }

  function aDocument(id: string, more: Partial<Document> = {}): Document {
    return { partition: 'one', id, text: `"${id}"`, ...more };
  }

  /** Documents a to e in order, and one each without an order and in another partition. */
  async function listed() {
    const table = await fresh();
    for (const id of ['c', 'a', 'e', 'b', 'd']) {
      const subject = 'aeiou'.includes(id) ? 'vowel' : 'consonant';
      await table.insert(aDocument(id, { order: id, subject, view: `"shown ${id}"` }));
    }
    await table.insert(aDocument('unordered'));
    await table.insert(aDocument('f', { partition: 'two', order: 'f' }));
    return table;
  }

  test('a document is found by partition and id, as it was written', async () => {
    const table = await fresh();
    const full = aDocument('a', { order: 'o', subject: 's', view: '"\\u0000\\ud800 ä😀"' });

    const version = await table.insert(full);

    expect(version).toEqual(expect.any(String));
    expect(await table.find('one', 'a')).toStrictEqual({ ...full, version });
    expect(await table.find('two', 'a')).toBeUndefined();
    expect(await table.find('one', 'A')).toBeUndefined();
  });

  test('the longest text there may be is kept whole', async () => {
    const table = await fresh();
    const text = '😀"ä'.repeat(LONGEST_TEXT / 4);

    await table.insert(aDocument('a', { text }));

    expect((await table.find('one', 'a'))?.text === text).toBe(true);
  });

  test('a taken id cannot be inserted, not even by one of many at once', async () => {
    const table = await fresh();
    const tries = Array.from({ length: 8 }, (_, n) => aDocument('a', { text: `${n}` }));

    const versions = await Promise.all(tries.map((document) => table.insert(document)));

    const winners = tries.filter((_, n) => versions[n] !== undefined);
    expect(winners).toHaveLength(1);
    expect(await table.find('one', 'a')).toMatchObject(winners[0] ?? {});
    expect(await table.insert(aDocument('a', { partition: 'two' }))).toBeDefined();
  });

  test('a document is replaced by whoever knows its version', async () => {
    const table = await fresh();
    const first = (await table.insert(aDocument('a', { view: '1' }))) ?? '';

    const second = await table.replace(aDocument('a', { order: 'o' }), first);
    const late = await table.replace(aDocument('a', { text: '"late"' }), first);

    expect(second).not.toBe(first);
    expect(late).toBeUndefined();
    const expected = { ...aDocument('a', { order: 'o' }), version: second };
    expect(await table.find('one', 'a')).toStrictEqual(expected);
    expect(await table.replace(aDocument('b'), first)).toBeUndefined();
    expect(await table.find('one', 'b')).toBeUndefined();
  });

  test('what is put is there, whatever was there before', async () => {
    const table = await fresh();
    const version = (await table.insert(aDocument('a', { view: '1' }))) ?? '';

    await table.put(aDocument('a', { text: '"new"' }));
    await table.put(aDocument('b'));

    expect(await table.find('one', 'a')).toMatchObject({ text: '"new"' });
    expect(await table.find('one', 'a')).not.toHaveProperty('view');
    expect(await table.find('one', 'b')).toMatchObject({ text: '"b"' });
    expect(await table.replace(aDocument('a'), version)).toBeUndefined();
  });

  test('a document is removed once', async () => {
    const table = await fresh();
    await table.insert(aDocument('a'));

    const answers = await Promise.all([1, 2, 3].map(() => table.remove('one', 'a')));

    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await table.remove('two', 'a')).toBe(false);
    expect(await table.find('one', 'a')).toBeUndefined();
  });

  const queries: readonly (readonly [string, DocumentQuery, string])[] = [
    ['all', {}, 'abcde'],
    ['backwards', { descending: true }, 'edcba'],
    ['from one on', { from: 'c' }, 'cde'],
    ['up to one', { before: 'c' }, 'ab'],
    ['between two', { from: 'b', before: 'd' }, 'bc'],
    ['the first', { limit: 2 }, 'ab'],
    ['the last', { limit: 2, descending: true }, 'ed'],
    ['of one subject', { subject: 'vowel' }, 'ae'],
    ['the first of one subject', { subject: 'consonant', limit: 2, from: 'c' }, 'cd'],
    ['no more than there are', { limit: 50 }, 'abcde'],
  ];

  test.for(queries)('a partition is read in order: %s', async ([, query, ids]) => {
    const table = await listed();

    const found = await table.query('one', query);

    expect(found.map(({ id }) => id).join('')).toBe(ids);
    expect(found[0]).toStrictEqual(await table.find('one', ids.charAt(0)));
  });

  test('lists can be read without the texts', async () => {
    const table = await listed();

    const found = await table.query('one', { only: 'views' });

    expect(found.map(({ view, text }) => [view, text])[0]).toEqual(['"shown a"', '']);
    expect(await table.findAll([aDocument('b')], 'views')).toMatchObject([{ view: '"shown b"' }]);
  });

  test('a partition of many documents is read whole', async () => {
    const table = await fresh();
    const ids = Array.from({ length: 600 }, (_, n) => `id-${String(n).padStart(4, '0')}`);
    await Promise.all(ids.map((id) => table.insert(aDocument(id, { order: id }))));

    const found = await table.query('one');
    const backwards = await table.query('one', { descending: true, limit: 550 });

    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(backwards.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 550));
    expect(await table.count('one')).toBe(600);
  });

  test('many documents are found by their ids, wherever they are', async () => {
    const table = await listed();
    const missing = { partition: 'two', id: 'a' };

    const found = await table.findAll([
      aDocument('unordered'),
      aDocument('f', { partition: 'two' }),
      missing,
      aDocument('a'),
    ]);

    expect(found.map(({ id }) => id).sort()).toEqual(['a', 'f', 'unordered']);
    expect(await table.findAll([])).toEqual([]);
  });

  test('a partition goes alone', async () => {
    const table = await listed();

    expect(await table.count('one')).toBe(6);
    await table.removePartition('one');
    await table.removePartition('one');

    expect(await table.count('one')).toBe(0);
    expect(await table.query('two')).toHaveLength(1);
  });
}
