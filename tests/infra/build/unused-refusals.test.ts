import { expect, test } from 'vitest';
import { catalogue } from '../../../core/errors/catalogue.ts';
import { findUnusedRefusals } from '../../../infra/build/unused-refusals.ts';
import { createProject } from './temporary-project.ts';

test('a refusal that only the catalogue names is unused', async () => {
  const { root, remove } = createProject([], {
    'core/errors/catalogue.ts': "'playbook-missing'",
    'functions/http/a.ts': "throw new Refusal('playbook-exists', id);",
  });

  const unused = await findUnusedRefusals(root);

  remove();
  expect(unused).toEqual(Object.keys(catalogue).filter((code) => code !== 'playbook-exists'));
});
