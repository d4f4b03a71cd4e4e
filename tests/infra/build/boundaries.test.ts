import { afterEach, expect, test } from 'vitest';
import { findWrongArrows } from '../../../infra/build/boundaries.ts';
import { createProject } from './temporary-project.ts';

const leftovers: (() => void)[] = [];
afterEach(() => {
  for (const remove of leftovers.splice(0)) remove();
});

const wrongArrows = (files: Readonly<Record<string, string>>) => {
  const { root, remove } = createProject(['.dependency-cruiser.cjs', 'package.json'], files);
  leftovers.push(remove);
  return findWrongArrows(root);
};

/** Where the wrong imports below may lead. */
const rooms = {
  'core/cacao/model.ts': 'export const model = 1;',
  'core/engine/walk.ts': 'export const walk = 1;',
  'core/errors/refusal.ts': 'export const refusal = 1;',
  'core/execution/run.ts': 'export const run = 1; export type Run = string;',
  'core/ports/clock.ts': 'export type Clock = number;',
  'functions/composition.ts': 'export const ports = 1;',
  'infra/stores/store.ts': 'export const store = 1;',
  'infra/local/host.ts': 'export const host = 1;',
  'tests/builder.ts': 'export const builder = 1;',
};

test('arrows from functions to core and from infra to core are right', async () => {
  const files = {
    ...rooms,
    'core/cacao/schema.ts': "import { Type } from 'typebox'; export const schema = Type;",
    'core/engine/next.ts':
      "import { model } from '../cacao/model.ts'; import { refusal } from '../errors/refusal.ts'; export const next = [model, refusal];",
    'core/execution/hash.ts':
      "import { createHash } from 'node:crypto'; export const hash = createHash;",
    'functions/composition.ts':
      "import { store } from '../infra/stores/store.ts'; export const ports = store;",
    'functions/orchestrators/run.ts':
      "import * as df from 'durable-functions'; import { walk } from '../../core/engine/walk.ts'; import type { Run } from '../../core/execution/run.ts'; export const drive = (run: Run) => [df, walk, run];",
    'infra/stores/clock.ts':
      "import { readFileSync } from 'node:fs'; import type { Clock } from '../../core/ports/clock.ts'; export const clock = (now: Clock) => [now, readFileSync];",
    'infra/local/main.ts': "import { host } from './host.ts'; export const main = host;",
    'infra/build/tool.ts': "import { build } from 'esbuild'; export const tool = build;",
  };

  expect(await wrongArrows(files)).toEqual([]);
});

const wrong: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['core-depends-on-nobody', 'core/a.ts', "export { store } from '../infra/stores/store.ts';"],
  [
    'core-depends-on-nobody',
    'core/b.ts',
    "import { readFile } from 'node:fs'; export const b = readFile;",
  ],
  ['core-depends-on-nobody', 'core/c.ts', "import type { Db } from 'mongodb'; export type C = Db;"],
  [
    'core-depends-on-nobody',
    'core/d.ts',
    "export const d = () => import('../functions/composition.ts');",
  ],
  [
    'hashing-in-execution-only',
    'core/engine/e.ts',
    "import { randomUUID } from 'node:crypto'; export const e = randomUUID;",
  ],
  [
    'schemas-at-the-edge-of-core',
    'core/engine/f.ts',
    "import { Type } from 'typebox'; export const f = Type;",
  ],
  [
    'cacao-stands-alone',
    'core/cacao/g.ts',
    "import type { Run } from '../execution/run.ts'; export type G = Run;",
  ],
  ['errors-stand-alone', 'core/errors/h.ts', "export { model } from '../cacao/model.ts';"],
  [
    'engine-does-not-know-execution',
    'core/engine/i.ts',
    "export { run } from '../execution/run.ts';",
  ],
  [
    'only-composition-chooses-adapters',
    'functions/http/j.ts',
    "export { store } from '../../infra/stores/store.ts';",
  ],
  [
    'infra-does-not-call-functions',
    'infra/stores/k.ts',
    "export { ports } from '../../functions/composition.ts';",
  ],
  [
    'nobody-knows-the-embedded-host',
    'functions/l.ts',
    "export { host } from '../infra/local/host.ts';",
  ],
  [
    'nobody-knows-the-embedded-host',
    'infra/stores/m.ts',
    "export { host } from '../local/host.ts';",
  ],
  [
    'orchestrators-are-pure',
    'functions/orchestrators/n.ts',
    "export { run } from '../../core/execution/run.ts';",
  ],
  [
    'orchestrators-are-pure',
    'functions/orchestrators/o.ts',
    "import { join } from 'node:path'; export const o = join;",
  ],
  [
    'product-without-tests',
    'infra/stores/p.ts',
    "export { builder } from '../../tests/builder.ts';",
  ],
  [
    'product-without-tools',
    'infra/stores/q.ts',
    "import { build } from 'esbuild'; export const q = build;",
  ],
  ['resolvable', 'infra/stores/r.ts', "export { nothing } from './nothing.ts';"],
  ['no-cycles', 'infra/stores/s.ts', "import type { T } from './t.ts'; export type S = T | 1;"],
];

test('every rule refuses the import it is there for', async () => {
  const files = {
    ...rooms,
    ...Object.fromEntries(wrong.map(([, file, source]) => [file, source])),
    'infra/stores/t.ts': "import type { S } from './s.ts'; export type T = S | 2;",
  };

  const found = await wrongArrows(files);

  for (const [rule, file] of wrong) {
    expect(found).toContainEqual(expect.stringContaining(`${rule}: ${file} -> `));
  }
});

test.each([
  ['does not see an import', "exclude: 'b.ts$'"],
  ['leaves out a room', "exclude: '^core/'"],
])('a tool that %s fails the check instead of passing it', async (_, option) => {
  const files = {
    'core/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
    'core/b.ts': 'export type B = 1;\n',
    '.dependency-cruiser.cjs': `module.exports = { forbidden: [], options: { ${option} } };`,
  };

  expect(await wrongArrows(files)).toEqual(['the imports of core/a.ts were not seen']);
});
