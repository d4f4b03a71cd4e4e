/**
 * Ends the output of a test run with one line a script can read: `N passed, N failed`. A file that
 * cannot be loaded and an error outside a test count as failures, so that 0 failed means what it says.
 */

import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

export class SummaryReporter implements Reporter {
  #line = '0 passed, 0 failed';

  onInit(): void {
    // At exit, because other reporters and the runner itself have more to say after the run.
    process.once('exit', () => process.stdout.write(`${this.#line}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#line = summaryLine(modules, errors.length);
  }
}

export function summaryLine(modules: readonly TestModule[], errorsOutside: number): string {
  let passed = 0;
  let failed = errorsOutside;
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    passed += states.filter((state) => state === 'passed').length;
    const failedTests = states.filter((state) => state === 'failed').length;
    const failedElsewhere = module.state() === 'failed' && failedTests === 0 ? 1 : 0;
    failed += failedTests + failedElsewhere;
  }
  return `${passed} passed, ${failed} failed`;
}
