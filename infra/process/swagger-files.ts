/** The files of the API browser: beside the bundle when deployed, from the package otherwise. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const swaggerFileNames = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
] as const;

const names: ReadonlySet<string> = new Set(swaggerFileNames);

/** Undefined for any other name; what is served is never chosen by the caller's path. */
export async function swaggerFile(name: string): Promise<Uint8Array | undefined> {
  if (!names.has(name)) return undefined;
  const beside = fileURLToPath(new URL(`./swagger/${name}`, import.meta.url));
  return readFile(beside).catch(() => readFile(join(packageDirectory(), name)));
}

function packageDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
