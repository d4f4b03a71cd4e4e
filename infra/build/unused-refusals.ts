/** Finds rows of the catalogue of refusals that nothing throws: each would be a promise nobody keeps. */

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from '../../core/errors/catalogue.ts';

/** Codes that no file of the product outside core/errors names. */
export async function findUnusedRefusals(root: string): Promise<readonly string[]> {
  const unused = new Set(Object.keys(catalogue));
  for await (const path of glob('{core,functions,infra}/**/*.ts', { cwd: root })) {
    if (/^core.errors/.test(path)) continue;
    const source = await readFile(join(root, path), 'utf8');
    for (const code of unused) if (source.includes(`'${code}'`)) unused.delete(code);
  }
  return [...unused];
}
