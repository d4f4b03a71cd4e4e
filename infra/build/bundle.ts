/**
 * Makes what runs: dist/app.cjs, which any Functions host loads (package.json `main`), dist/host.cjs, the
 * embedded host, and the files of the API browser. One CommonJS file loads faster than hundreds of
 * modules, and Azure starts cold from a network share. Large packages that no start needs become files of
 * their own under dist/on-demand, read when something first asks for them.
 */

import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
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

/** Drivers and clients whose code is imported where it is used, never at the top of what every start runs. */
const onDemand = [
  '@azure/cosmos',
  '@azure/msal-node',
  'mongodb',
  'mqtt',
  'ssh2',
  'undici',
] as const;

const keepOnDemand: Plugin = {
  name: 'keep-on-demand',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${onDemand.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path: `./${onDemandFile(path)}`, external: true }));
  },
};

function onDemandFile(packageName: string): string {
  return `on-demand/${packageName.replace('@', '').replace('/', '-')}.cjs`;
}

export async function bundle(outputDirectory = 'dist'): Promise<void> {
  await Promise.all([
    build({
      ...shared,
      entryPoints: ['functions/app.ts'],
      outfile: join(outputDirectory, 'app.cjs'),
      plugins: [keepOnDemand],
    }),
    ...onDemand.map((name) =>
      build({
        ...shared,
        entryPoints: [name],
        outfile: join(outputDirectory, onDemandFile(name)),
      }),
    ),
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
