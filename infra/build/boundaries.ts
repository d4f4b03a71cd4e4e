/** Checks the arrows between the rooms with dependency-cruiser, and that it saw every file. */

import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const rooms = ['core', 'functions', 'infra'];

/** One sentence per wrong arrow; `root` holds the rooms and a .dependency-cruiser.cjs. */
export async function findWrongArrows(root: string): Promise<readonly string[]> {
  const files = await sourceFiles(root);
  const report = await cruise(root, files);
  const arrows = new Map(
    report.modules.map((module) => [module.source, module.dependencies.length]),
  );
  const overlooked = files.filter(({ path, imports }) => imports && !arrows.get(path));
  return [
    // A tool that cannot parse TypeScript sees no arrows and finds nothing wrong with them.
    ...overlooked.map(({ path }) => `the imports of ${path} were not seen`),
    ...report.summary.violations.map(describeViolation),
  ];
}

type Violation = {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
  readonly cycle?: readonly { readonly name: string }[];
};

type Report = {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly unknown[];
  }[];
  readonly summary: { readonly violations: readonly Violation[] };
};

async function cruise(root: string, files: readonly SourceFile[]): Promise<Report> {
  const present = rooms.filter((room) => files.some(({ path }) => path.startsWith(`${room}/`)));
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present];
  try {
    const { stdout } = await run(process.execPath, [cruiser, ...args], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    throw new Error('dependency-cruiser did not finish.', { cause: error });
  }
}

const run = promisify(execFile);
const cruiser = join(
  import.meta.dirname,
  '../../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
);

type SourceFile = { readonly path: string; readonly imports: boolean };

async function sourceFiles(root: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const room of rooms) {
    for await (const path of glob(`${room}/**/*.ts`, { cwd: root })) {
      const source = await readFile(join(root, path), 'utf8');
      files.push({
        path: path.replaceAll('\\', '/'),
        imports: /^(im|ex)port [^;]*from '/m.test(source),
      });
    }
  }
  return files;
}

function describeViolation({ rule, from, to, cycle }: Violation): string {
  const way = cycle === undefined ? to : cycle.map(({ name }) => name).join(' -> ');
  return `${rule.name}: ${from} -> ${way}`;
}
