import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findStaleDocs, generateDocs, replaceBlock } from '../../../infra/build/generate-docs.ts';
import { createProject } from './temporary-project.ts';

const leftovers: (() => void)[] = [];
afterEach(() => {
  for (const remove of leftovers.splice(0)) remove();
});
const projectWith = (files: Readonly<Record<string, string>>): string => {
  const { root, remove } = createProject([], files);
  leftovers.push(remove);
  return root;
};

const block = (name: string) => `<!-- ${name}:begin -->\nyesterday\n<!-- ${name}:end -->`;

test('generating brings every page up to date and leaves the rest of the README alone', async () => {
  const readme = `Before\n${block('configuration')}\nBetween\n${block('endpoints')}\nAfter\n`;
  const root = projectWith({ 'README.md': readme, 'docs/security.md': block('permissions') });

  expect(await generateDocs(root)).toEqual([
    '.env.sample',
    'docs/errors.md',
    'docs/api.md',
    'docs/security.md',
    'README.md',
  ]);

  const written = readFileSync(join(root, 'README.md'), 'utf8');
  expect(written).toMatch(
    /^Before\n[\s\S]*`PORT`[\s\S]*\nBetween\n[\s\S]*`GET POST \/playbook`[\s\S]*-->\nAfter\n$/,
  );
  expect(written).not.toContain('yesterday');
  expect(await findStaleDocs(root)).toEqual([]);
});

test('a page somebody changed by hand is found to be stale', async () => {
  const root = projectWith({
    'README.md': `${block('configuration')}\n${block('endpoints')}`,
    'docs/security.md': block('permissions'),
  });
  await generateDocs(root);
  writeFileSync(join(root, '.env.sample'), '#PORT=9090\n');

  expect(await findStaleDocs(root)).toEqual(['.env.sample']);
});

test('a README without the markers is an error, not an empty success', async () => {
  const root = projectWith({
    'README.md': 'No block here.',
    'docs/security.md': block('permissions'),
  });

  await expect(findStaleDocs(root)).rejects.toThrow('README.md cannot be generated.');
});

test('text with dollar signs is put into a block as it is', () => {
  expect(replaceBlock('<!-- a:begin --><!-- a:end -->', 'a', '$& $1')).toBe(
    '<!-- a:begin -->\n$& $1\n<!-- a:end -->',
  );
});
