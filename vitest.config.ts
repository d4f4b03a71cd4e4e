import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './tests/summary-reporter.ts';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/build-once.ts'],
    reporters: ['default', new SummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
