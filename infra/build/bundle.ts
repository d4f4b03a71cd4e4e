/**
 * Makes what runs: dist/app.cjs, which any Functions host loads (package.json `main`), dist/host.cjs, the
 * embedded host, and the files of the API browser. One CommonJS file loads faster than hundreds of
 * modules, and Azure starts cold from a network share.
 */

import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { swaggerFileNames } from '../process/swagger-files.ts';

const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  keepNames: true,
  minify: true,
  sourcemap: 'linked',
  legalComments: 'none',
  // The Functions worker answers @azure/functions-core itself; there is no such package.
  external: ['@azure/functions-core', 'cpu-features', 'applicationinsights'],
  loader: { '.node': 'empty' },
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
};

export async function bundle(outputDirectory = 'dist'): Promise<void> {
  await Promise.all([
    build({
      ...shared,
      entryPoints: ['functions/app.ts'],
      outfile: join(outputDirectory, 'app.cjs'),
    }),
    build({
      ...shared,
      entryPoints: ['infra/local/main.ts'],
      outfile: join(outputDirectory, 'host.cjs'),
    }),
    copySwaggerFiles(join(outputDirectory, 'swagger')),
  ]);
}

async function copySwaggerFiles(directory: string): Promise<void> {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await mkdir(directory, { recursive: true });
  await Promise.all(
    swaggerFileNames.map((name) => copyFile(join(from, name), join(directory, name))),
  );
}
