/** A throw-away project with given files, for tests of the checks that read whole projects. */

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const repository = join(import.meta.dirname, '../../..');

/** `copied` names files of the repository; `files` maps paths to contents. Removed by `remove`. */
export function createProject(
  copied: readonly string[],
  files: Readonly<Record<string, string>>,
): { readonly root: string; readonly remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  for (const path of copied) copyFileSync(join(repository, path), join(root, path));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
