/**
 * `npm run check`: everything that can be known about the code without running it. The steps run
 * side by side; what a failed one has to say comes after the summary.
 */

import { spawn } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findWrongArrows } from './boundaries.ts';
import { findStaleDocs } from './generate-docs.ts';
import { orchestratorViolations } from './orchestrator-rules.ts';
import { findUnusedRefusals } from './unused-refusals.ts';

type Outcome = { readonly ok: boolean; readonly output: string };
type Step = { readonly name: string; readonly run: () => Promise<Outcome> };
type Finished = Outcome & { readonly name: string; readonly seconds: number };

const root = join(import.meta.dirname, '../..');

const steps: readonly Step[] = [
  { name: 'types', run: () => tool('typescript/bin/tsc', '--noEmit', '--pretty', 'false') },
  {
    name: 'lint and format',
    run: () => tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  },
  { name: 'boundaries', run: async () => nothingIn(await findWrongArrows(root)) },
  { name: 'orchestrators', run: async () => nothingIn(await checkOrchestrators()) },
  {
    name: 'generated docs',
    run: async () => {
      const stale = await findStaleDocs(root);
      return nothingIn(
        stale.map((path) => `${path} is stale; run: node infra/build/generate-docs.ts`),
      );
    },
  },
  {
    name: 'refusals in use',
    run: async () => {
      const unused = await findUnusedRefusals(root);
      return nothingIn(unused.map((code) => `nothing refuses with ${code}`));
    },
  },
  { name: 'unused code', run: () => tool('knip/bin/knip.js', '--no-progress') },
];

async function main(): Promise<void> {
  const finished = await Promise.all(steps.map(runStep));
  for (const { name, ok, seconds } of finished) {
    console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(18)} ${seconds.toFixed(1).padStart(5)} s`);
  }
  const failed = finished.filter(({ ok }) => !ok);
  for (const { name, output } of failed) console.log(`\n== ${name} ==\n${output.trim()}`);
  if (failed.length > 0) process.exitCode = 1;
}

async function runStep({ name, run }: Step): Promise<Finished> {
  const begun = performance.now();
  const outcome = await run().catch((error: unknown) => ({ ok: false, output: explain(error) }));
  return { name, ...outcome, seconds: (performance.now() - begun) / 1000 };
}

/** Runs a script of an installed package with this Node; its exit code tells what it found. */
function tool(script: string, ...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

function nothingIn(problems: readonly string[]): Outcome {
  return { ok: problems.length === 0, output: problems.join('\n') };
}

async function checkOrchestrators(): Promise<readonly string[]> {
  const problems: string[] = [];
  let files = 0;
  for await (const path of glob('functions/orchestrators/**/*.ts', { cwd: root })) {
    files += 1;
    const violations = await orchestratorViolations(await readFile(join(root, path), 'utf8'));
    problems.push(...violations.map(({ rule, line, says }) => `${path}:${line} ${rule}: ${says}`));
  }
  return files === 0 ? ['there are no files in functions/orchestrators'] : problems;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n${explain(error.cause)}`;
  return `${error.message}${cause}`;
}

await main();
