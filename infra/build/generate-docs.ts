/**
 * Writes the parts of the documentation that come from definitions: the blocks of the README,
 * .env.sample, docs/api.md, docs/errors.md and the tables of docs/security.md. With --check it changes nothing and fails when a file is
 * not what the definitions say.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { validationRules } from '../../core/cacao/validation/rules.ts';
import { variableGroups } from '../../core/config/groups.ts';
import {
  renderConfigurationTable,
  renderEnvironmentSample,
} from '../../core/config/render-configuration.ts';
import { renderErrorsPage } from '../../core/errors/render-catalogue.ts';
import { routes } from '../../functions/http/routes.ts';
import { renderApiPage, renderEndpointTable } from './render-endpoints.ts';
import { renderPermissions } from './render-permissions.ts';

type GeneratedFile = { readonly path: string; readonly render: (present: string) => string };

// Pages with markers come last: when those are missing, the rest has been written all the same.
const generatedFiles: readonly GeneratedFile[] = [
  { path: '.env.sample', render: () => renderEnvironmentSample(variableGroups) },
  { path: 'docs/errors.md', render: () => renderErrorsPage(validationRules) },
  { path: 'docs/api.md', render: () => renderApiPage(routes) },
  {
    path: 'docs/security.md',
    render: (present) => replaceBlock(present, 'permissions', renderPermissions(routes)),
  },
  { path: 'README.md', render: renderReadme },
];

/** Paths of the files that are not what the definitions say. */
export async function findStaleDocs(root: string): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const file of generatedFiles) {
    const { present, wanted } = await compare(root, file);
    if (present !== wanted) stale.push(file.path);
  }
  return stale;
}

/** Brings every generated file up to date; answers the paths that changed. */
export async function generateDocs(root: string): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of generatedFiles) {
    const { present, wanted } = await compare(root, file);
    if (present === wanted) continue;
    const path = join(root, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, wanted);
    changed.push(file.path);
  }
  return changed;
}

function renderReadme(present: string): string {
  const withEndpoints = replaceBlock(present, 'endpoints', renderEndpointTable(routes));
  return replaceBlock(withEndpoints, 'configuration', renderConfigurationTable(variableGroups));
}

/** Replaces what stands between the markers of that name; they must be there. */
export function replaceBlock(text: string, name: string, content: string): string {
  const begin = `<!-- ${name}:begin -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`There are no lines ${begin} and ${end}.`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}

async function compare(
  root: string,
  { path, render }: GeneratedFile,
): Promise<{ readonly present: string; readonly wanted: string }> {
  const present = await readIfThere(join(root, path));
  try {
    return { present, wanted: render(present) };
  } catch (error) {
    throw new Error(`${path} cannot be generated.`, { cause: error });
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}

async function main(): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  if (!process.argv.includes('--check')) {
    for (const path of await generateDocs(root)) console.log(`wrote ${path}`);
    return;
  }
  const stale = await findStaleDocs(root);
  for (const path of stale) console.log(`${path} is stale; run: node infra/build/generate-docs.ts`);
  if (stale.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
