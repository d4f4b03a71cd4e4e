/**
 * Does what docs/adding-a-capability.md says, in a copy of the project: every block with a path in its
 * first line is a file to write or a change to make.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';

const repository = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'walk-through-'));

type Block = { readonly kind: string; readonly path: string; readonly text: string };

function blocksOf(page: string): readonly Block[] {
  const fenced = /^```(\w+) (\S+)\n([\s\S]*?)^```$/gm;
  return [...page.matchAll(fenced)].map(([, kind = '', path = '', text = '']) => ({
    kind,
    path,
    text,
  }));
}

function apply({ kind, path, text }: Block): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  if (kind !== 'diff') {
    writeFileSync(file, text);
    return;
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const sideOf = (without: string) =>
    lines.filter((line) => !line.startsWith(without)).map((line) => `${line.slice(1)}\n`);
  const before = readFileSync(file, 'utf8');
  const [old, changed] = [sideOf('+').join(''), sideOf('-').join('')];
  expect(before.split(old), `${path} holds the lines to change once`).toHaveLength(2);
  writeFileSync(
    file,
    before.replace(old, () => changed),
  );
}

const run = promisify(execFile);
const tool = (script: string, ...args: readonly string[]) =>
  run(process.execPath, [join(project, 'node_modules', script), ...args], {
    cwd: project,
    env: { ...process.env, NO_COLOR: '1' },
  });

beforeAll(() => {
  const copied = ['core', 'functions', 'infra', 'package.json', 'host.json', 'biome.json'];
  for (const path of copied)
    cpSync(join(repository, path), join(project, path), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(project, 'node_modules'));
  const { compilerOptions } = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'));
  const page = readFileSync(join(repository, 'docs/adding-a-capability.md'), 'utf8');
  const blocks = blocksOf(page);
  for (const block of blocks) apply(block);
  const files = blocks.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('after the walk-through', () => {
  test('the types fit', { timeout: 120_000 }, async () => {
    await tool('typescript/bin/tsc', '--noEmit', '--pretty', 'false');
  });

  test('the code is as the project formats it', async () => {
    await tool(
      '@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      'infra/capabilities',
      'core/cacao/schema/command.ts',
      'core/execution/operations/step-catalogue.ts',
      'tests',
    );
  });

  test('its own test passes', { timeout: 120_000 }, async () => {
    writeFileSync(join(project, 'vitest.config.ts'), 'export default {};\n');

    const { stdout } = await tool('vitest/vitest.mjs', 'run');

    expect(stdout).toMatch(/Tests +3 passed/);
  });

  test('the product executes a playbook with it', { timeout: 120_000 }, async () => {
    await run(process.execPath, ['infra/build/build.ts'], { cwd: project });
    const received: string[] = [];
    const collector = createServer((socket) =>
      socket.on('data', (chunk) => void received.push(chunk.toString())),
    );
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const product = spawn(process.execPath, ['dist/host.cjs'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: join(project, 'data'),
        LOG_GLOBAL_LEVEL: 'error',
      },
    });
    try {
      const ask = clientOf(await addressOf(product.stdout));
      const playbook = JSON.parse(
        readFileSync(join(project, 'examples/tell-the-soc.json'), 'utf8'),
      );
      const { port } = collector.address() as AddressInfo;

      const verdict = await ask('POST', '/validation', { body: playbook });
      await ask('POST', '/playbook', { body: playbook });
      const answer = await ask('POST', `/trigger/playbook/${playbook.id}`, {
        body: { __port__: { type: 'string', value: String(port) } },
      });
      const catalogue = await ask('GET', '/step');

      expect(verdict.json).toEqual({ valid: true, findings: [] });
      expect(answer.json.status).toBe('successfully_executed');
      await expect.poll(() => received.join('')).toMatch(/ws-0417 was isolated$/);
      expect(catalogue.text).toContain('svc-syslog');
    } finally {
      product.kill();
      await once(product, 'exit');
      collector.close();
    }
  });
});

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk.toString();
    const url = /listens on (\S+)/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The product did not start.\n${text}`);
}
