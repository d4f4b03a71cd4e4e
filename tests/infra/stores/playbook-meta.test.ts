import { expect, test } from 'vitest';
import { playbookMeta } from '../../../infra/stores/playbook-meta.ts';
import { aPlaybook, playbookId } from '../../contracts/builders.ts';

test('members of an unexpected type count as absent', () => {
  const document = { name: 1, description: null, created: {}, valid_from: [], labels: ['a', 1] };

  expect(playbookMeta(playbookId(1), document)).toStrictEqual({
    id: playbookId(1),
    name: '',
    description: '',
    labels: ['a'],
  });
});

test('labels that are no list are no labels', () => {
  const meta = playbookMeta(playbookId(1), aPlaybook(1, { labels: 'a' }));

  expect(meta.labels).toEqual([]);
});
