import { defineConfig } from 'vitest/config';
import { skipFerretdb } from './tests/peers/ferretdb/start-ferretdb.ts';
import { SummaryReporter } from './tests/summary-reporter.ts';

/** What a caller sees must not depend on the store, so these run on each. */
const onEveryStore = [
  'playbooks',
  'trigger',
  'manual',
  'executions',
  'crash',
  'settings',
  'which-store',
].map((name) => `tests/e2e/${name}.test.ts`);

const onStore = (name: string) =>
  ({
    extends: true,
    test: { name, include: onEveryStore, env: { E2E_STORE: name } },
  }) as const;

export default defineConfig({
  test: {
    globalSetup: ['tests/build-once.ts', 'tests/e2e/start-databases.ts'],
    reporters: ['default', new SummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    projects: [
      { extends: true, test: { name: 'all', include: ['tests/**/*.test.ts'] } },
      ...(skipFerretdb ? [] : [onStore('mongo')]),
      onStore('cosmos'),
    ],
  },
});
