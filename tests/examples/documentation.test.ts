/** What the pages point at is there: files, headings, scripts, settings, playbooks. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variableGroups } from '../../core/config/groups.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** As GitHub makes them. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe.each(pages)('%s', (page) => {
  const text = read(page);

  test('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link));

    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });

    expect(broken).toEqual([]);
  });

  test('names scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));

    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);

    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names playbooks that exist', () => {
    const ids = readdirSync(join(root, 'examples'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(read(`examples/${name}`)).id);

    const files = [...text.matchAll(/@(examples\/[\w-]+\.json)/g)].map(([, path = '']) => path);
    const triggered = [...text.matchAll(/trigger\/playbook\/(playbook--[\w-]+)/g)].map(
      ([, id = '']) => id,
    );

    // The page that adds a capability writes its playbook itself.
    const written = [...text.matchAll(/^```json (\S+)$/gm)].map(([, path = '']) => path);
    expect(
      files.filter((path) => !existsSync(join(root, path)) && !written.includes(path)),
    ).toEqual([]);
    expect(triggered.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

test('the README names no setting that does not exist', () => {
  const own = variableGroups.flatMap(({ variables }) => Object.keys(variables));
  const ofThePlatform = ['FUNCTIONS_WORKER_RUNTIME'];

  const named = [...read('README.md').matchAll(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)].map(
    ([, name = '']) => name,
  );

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !own.includes(name) && !ofThePlatform.includes(name))).toEqual([]);
});
