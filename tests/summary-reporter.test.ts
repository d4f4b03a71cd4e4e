import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createProject, repository } from './infra/build/temporary-project.ts';

async function lastLineOf(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  const config = `import { SummaryReporter } from '${join(repository, 'tests/summary-reporter.ts')}';
    export default { test: { reporters: ['default', new SummaryReporter()] } };`;
  const { root, remove } = createProject([], { 'vitest.config.mjs': config, ...files });
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'run'], {
    cwd: root,
  }).catch((failed: { readonly stdout: string }) => failed);
  remove();
  return stdout.trimEnd().split('\n').at(-1);
}

test('a test run ends with how many tests passed and failed', async () => {
  const source = `import { expect, test } from 'vitest';
    test('one', () => {});
    test('two', () => expect(1).toBe(2));
    test.skip('three', () => {});`;

  expect(await lastLineOf({ 'a.test.ts': source })).toBe('1 passed, 1 failed');
});

test('a test file that cannot be loaded and an error outside a test count as failures', async () => {
  const files = {
    'broken.test.ts': "import './nothing.ts';",
    'stray.test.ts': `import { test } from 'vitest';
      test('one', () => { void Promise.reject(new Error('nobody waits for this')); });`,
  };

  expect(await lastLineOf(files)).toBe('1 passed, 2 failed');
});
