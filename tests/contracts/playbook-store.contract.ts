/** What every PlaybookStore promises. */

import { describe, expect, test } from 'vitest';
import { done, refused } from '../../core/errors/result.ts';
import { aPlaybook, playbookId, tamper } from './builders.ts';
import { type CreateStores, opened } from './opened.ts';
import { spelled, unusualJson } from './unusual-json.ts';

export function playbookStoreContract(create: CreateStores): void {
  const fresh = async () => (await opened(create)).playbooks;
  const one = playbookId(1);

  describe('playbook store', () => {
    test('a stored playbook comes back as it was submitted, members in their order', async () => {
      const playbooks = await fresh();

      const added = await playbooks.add(one, unusualJson);

      const stored = await playbooks.get(one);
      expect(added).toEqual(done);
      expect(stored).toStrictEqual(unusualJson);
      expect(spelled(stored)).toBe(spelled(unusualJson));
      expect((await playbooks.list()).map(spelled)).toEqual([spelled(unusualJson)]);
    });

    test('a replaced playbook is as lossless as an added one', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1));

      const replaced = await playbooks.replace(one, unusualJson);

      expect(replaced).toEqual(done);
      expect(spelled(await playbooks.get(one))).toBe(spelled(unusualJson));
    });

    test('a playbook of 5 MB is stored whole', async () => {
      const playbooks = await fresh();
      const large = aPlaybook(1, { description: 'ä'.repeat(1_000_000), filler: ['x'.repeat(4e6)] });

      await playbooks.add(one, large);

      expect(spelled(await playbooks.get(one)) === spelled(large)).toBe(true);
    });

    test('adding a taken id is refused and leaves the stored playbook untouched', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1, { name: 'first' }));

      const again = await playbooks.add(one, aPlaybook(1, { name: 'second' }));

      expect(again).toEqual(refused('playbook-exists'));
      expect(await playbooks.list()).toEqual([aPlaybook(1, { name: 'first' })]);
    });

    test('of many concurrent additions of one id exactly one wins, and its document is kept', async () => {
      const playbooks = await fresh();
      const documents = Array.from({ length: 12 }, (_, n) => aPlaybook(1, { name: `try ${n}` }));

      const answers = await Promise.all(documents.map((document) => playbooks.add(one, document)));

      const winners = documents.filter((_, n) => answers[n]?.ok === true);
      expect(winners).toHaveLength(1);
      expect(await playbooks.list()).toEqual(winners);
    });

    test('ids that differ in case are different playbooks', async () => {
      const playbooks = await fresh();
      const lower = playbookId(10);
      const upper = playbookId(10).replace('a', 'A') as typeof lower;

      await playbooks.add(lower, aPlaybook(10));
      await playbooks.add(upper, { ...aPlaybook(10), id: upper });

      expect(await playbooks.get(upper)).toEqual({ ...aPlaybook(10), id: upper });
      expect(await playbooks.list()).toHaveLength(2);
    });

    test('an unknown playbook is neither found, replaced nor removed', async () => {
      const playbooks = await fresh();

      expect(await playbooks.get(one)).toBeUndefined();
      expect(await playbooks.replace(one, aPlaybook(1))).toEqual(refused('playbook-missing'));
      expect(await playbooks.remove(one)).toEqual(refused('playbook-missing'));
      expect(await playbooks.list()).toEqual([]);
      expect(await playbooks.listMeta()).toEqual([]);
    });

    test('a removed playbook is gone, and its id can be used again', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1));

      expect(await playbooks.remove(one)).toEqual(done);
      expect(await playbooks.remove(one)).toEqual(refused('playbook-missing'));
      expect(await playbooks.get(one)).toBeUndefined();
      expect(await playbooks.add(one, aPlaybook(1))).toEqual(done);
    });

    test('of many concurrent removals of one playbook exactly one succeeds', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1));

      const answers = await Promise.all(Array.from({ length: 8 }, () => playbooks.remove(one)));

      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    });

    test('playbooks are listed in the order of their creation, whatever their ids', async () => {
      const playbooks = await fresh();
      for (const n of [3, 1, 2]) await playbooks.add(playbookId(n), aPlaybook(n));

      await playbooks.replace(playbookId(3), aPlaybook(3, { name: 'replaced' }));
      await playbooks.remove(playbookId(1));
      await playbooks.add(playbookId(1), aPlaybook(1, { name: 'created again' }));

      const names = ['replaced', 'playbook 2', 'created again'];
      expect((await playbooks.list()).map(({ name }) => name)).toEqual(names);
      expect((await playbooks.listMeta()).map(({ name }) => name)).toEqual(names);
    });

    test('the list view shows the metadata of a playbook', async () => {
      const playbooks = await fresh();
      await playbooks.add(
        one,
        aPlaybook(1, {
          description: 'what it does',
          created: '2026-01-01T00:00:00.000Z',
          valid_from: '2026-01-02T00:00:00Z',
          valid_until: '2027-01-02T00:00:00Z',
          labels: ['b', 'a'],
        }),
      );

      expect(await playbooks.listMeta()).toStrictEqual([
        {
          id: one,
          name: 'playbook 1',
          description: 'what it does',
          created: '2026-01-01T00:00:00.000Z',
          validFrom: '2026-01-02T00:00:00Z',
          validUntil: '2027-01-02T00:00:00Z',
          labels: ['b', 'a'],
        },
      ]);
    });

    test('metadata a playbook does not have is absent from the list view', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1));

      expect(await playbooks.listMeta()).toStrictEqual([
        { id: one, name: 'playbook 1', description: '', labels: [] },
      ]);
    });

    test('the list view follows a replacement', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1, { labels: ['old'], valid_from: 'x' }));

      await playbooks.replace(one, aPlaybook(1, { name: '\u0000\ud800 new' }));

      expect(await playbooks.listMeta()).toStrictEqual([
        { id: one, name: '\u0000\ud800 new', description: '', labels: [] },
      ]);
    });

    test('changing a submitted document later does not change the stored one', async () => {
      const playbooks = await fresh();
      const nested = { labels: ['kept'] };
      const document = aPlaybook(1, nested);
      await playbooks.add(one, document);

      nested.labels.push('smuggled in');

      expect(await playbooks.get(one)).toEqual(aPlaybook(1, { labels: ['kept'] }));
    });

    test('changing what was read does not change the stored playbook', async () => {
      const playbooks = await fresh();
      await playbooks.add(one, aPlaybook(1, { workflow: { step: { name: 'kept' } }, labels: [] }));

      const read = await playbooks.get(one);
      tamper(read?.['workflow'], (workflow) => {
        workflow['step'] = 'gone';
      });
      tamper((await playbooks.list())[0], (document) => {
        document['name'] = 'changed';
      });
      tamper((await playbooks.listMeta())[0]?.labels, (labels) => {
        labels['0'] = 'added';
      });

      expect(await playbooks.get(one)).toEqual(
        aPlaybook(1, { workflow: { step: { name: 'kept' } }, labels: [] }),
      );
      expect((await playbooks.listMeta())[0]?.labels).toEqual([]);
    });
  });
}
