import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, repository } from './temporary-project.ts';

/** Each line breaks the rule beside it. */
const broken: readonly (readonly [path: string, rule: string, source: string])[] = [
  ['core/a.ts', 'noProcessEnv', "export const x = process.env['X'];"],
  ['core/b.ts', 'noRestrictedImports', "import { env } from 'node:process'; export const x = env;"],
  ['core/c.ts', 'noFloatingPromises', 'async function f(): Promise<void> {}\nf();'],
  [
    'core/d.ts',
    'noMisusedPromises',
    'export const f = (list: number[]) => list.forEach(async () => {});',
  ],
  ['core/e.ts', 'noExplicitAny', 'export const x = (y: any) => y;'],
  ['core/f.ts', 'noNonNullAssertion', 'export const f = (x: string | undefined) => x!.length;'],
  ['core/g.ts', 'noEnum', 'export enum E {}'],
  ['core/h.ts', 'noConsole', "console.log('x');"],
  ['core/i.ts', 'noTsIgnore', '// @ts-ignore\nexport const x = 1;'],
  [
    'core/j.ts',
    'useExhaustiveSwitchCases',
    "export function f(k: 'a' | 'b') { switch (k) { case 'a': return 1; } return 2; }",
  ],
  ['core/k.ts', 'noDefaultExport', 'export default 1;'],
  ['core/l.ts', 'useThrowOnlyError', "export const f = () => { throw 'x'; };"],
  ['core/m.ts', 'noExcessiveLinesPerFile', 'export const x = 1;\n'.repeat(260)],
  ['core/n.ts', 'noExcessiveLinesPerFunction', `export function f() {\n${'f();\n'.repeat(60)}}`],
  ['core/CamelCase.ts', 'useFilenamingConvention', 'export const x = 1;'],
  [
    'tests/a.test.ts',
    'noSkippedTests',
    "import { test } from 'vitest';\ntest.skip('a', () => {});",
  ],
  [
    'tests/b.test.ts',
    'noFocusedTests',
    "import { test } from 'vitest';\ntest.only('a', () => {});",
  ],
  [
    'functions/orchestrators/a.ts',
    'noRestrictedGlobals',
    'export const f = () => setTimeout(f, 1);',
  ],
  ['functions/orchestrators/b.ts', 'noRestrictedGlobals', "export const f = () => fetch('x');"],
  [
    'functions/orchestrators/c.ts',
    'noRestrictedImports',
    "import { join } from 'node:path'; export const x = join;",
  ],
];
const sound = {
  'core/config/environment.ts': "export const x = process.env['X'];",
  'infra/local/settings/environment.ts': "export const x = process.env['X'];",
  'functions/http/sleep.ts': 'export const f = () => setTimeout(f, 1);',
};

let found: readonly (readonly [path: string, rule: string])[];
let remove: () => void;

beforeAll(async () => {
  const project = createProject(['biome.json', 'package.json', 'tsconfig.json'], {
    ...Object.fromEntries(broken.map(([path, , source]) => [path, source])),
    ...sound,
  });
  remove = project.remove;
  found = await lint(project.root);
});
afterAll(() => remove());

async function lint(root: string): Promise<readonly (readonly [string, string])[]> {
  const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--colors=off', '--max-diagnostics=none', '.'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (failed: { readonly stdout: string; readonly stderr: string }) => failed,
  );
  const lines = [...`${stdout}${stderr}`.matchAll(/^(\S+?)(?::\d+:\d+)? lint\/\w+\/(\w+) /gm)];
  return lines.map((match) => [match[1] ?? '', match[2] ?? ''] as const);
}

describe('the linter refuses', () => {
  test.each(broken)('in %s: %s', (path, rule) => {
    expect(found).toContainEqual([path, rule]);
  });
});

test('the linter lets the rooms that may do so read the environment and use timers', () => {
  expect(found.filter(([path]) => path in sound)).toEqual([]);
});
