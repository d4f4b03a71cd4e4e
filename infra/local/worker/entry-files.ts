/** Finds the files of an app that register its functions: `main` of package.json, a path or a glob. */

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { StartError } from '../start-error.ts';

export type EntryFile = { readonly path: string; readonly kind: 'module' | 'commonjs' };

/** In order of their names. Throws a StartError that says what is missing. */
export function findEntryFiles(appDirectory: string): readonly EntryFile[] {
  const manifest = readManifest(join(appDirectory, 'package.json'));
  if (manifest === undefined) {
    throw new StartError(`There is no package.json in ${appDirectory}.`);
  }
  if (manifest.main === undefined) {
    throw new StartError('package.json names no entry file: set "main" to a path or a glob.');
  }
  const files = isGlob(manifest.main)
    ? globSync(manifest.main, { cwd: appDirectory }).map(String).sort()
    : [manifest.main];
  const paths = files.map((file) => resolve(appDirectory, file)).filter(isFile);
  if (paths.length === 0) {
    throw new StartError(`No file matches "main" of package.json (${manifest.main}).`);
  }
  return paths.map((path) => ({ path, kind: kindOf(path, appDirectory) }));
}

function isGlob(pattern: string): boolean {
  return /[*?[\]{}!]/.test(pattern);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function kindOf(path: string, appDirectory: string): EntryFile['kind'] {
  const extension = extname(path);
  if (extension === '.mjs' || extension === '.mts') return 'module';
  if (extension === '.cjs' || extension === '.cts') return 'commonjs';
  return nearestType(path, appDirectory) === 'module' ? 'module' : 'commonjs';
}

// Node's own rule: the closest package.json above the file decides.
function nearestType(path: string, appDirectory: string): string | undefined {
  const folders = relative(appDirectory, path).split(/[\\/]/).slice(0, -1);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const manifestPath = join(appDirectory, ...folders.slice(0, depth), 'package.json');
    if (existsSync(manifestPath)) return readManifest(manifestPath)?.type;
  }
  return undefined;
}

type Manifest = { readonly main: string | undefined; readonly type: string | undefined };

function readManifest(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  try {
    const { main, type } = JSON.parse(text) as { main?: unknown; type?: unknown };
    return {
      main: typeof main === 'string' && main !== '' ? main : undefined,
      type: typeof type === 'string' ? type : undefined,
    };
  } catch (cause) {
    throw new StartError(`${path} is not valid JSON.`, { cause });
  }
}
