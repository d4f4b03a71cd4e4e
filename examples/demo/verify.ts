/** Whether the demo went as it should: every step, how it ended and how often, and the calls that arrived. */

import { isDeepStrictEqual } from 'node:util';
import type { Report } from './api.ts';
import type { Executed } from './report-tree.ts';

/** Name of the step, how it ended, how often it was executed. */
const expected: readonly (readonly [string, string, number])[] = [
  ['Read the severity', 'successfully_executed', 1],
  ['How severe is it?', 'successfully_executed', 1],
  ['Collect evidence', 'successfully_executed', 1],
  ['List processes', 'successfully_executed', 1],
  ['List connections', 'successfully_executed', 1],
  ['Ask for the reputation', 'successfully_executed', 1],
  ['Is the address malicious?', 'successfully_executed', 1],
  ['Block it at the firewall', 'failed', 1],
  ['Deny it at the proxy instead', 'successfully_executed', 1],
  ['Purge the mail it began with', 'successfully_executed', 1],
  ['May the workstation be isolated?', 'successfully_executed', 1],
  ['Was it agreed?', 'successfully_executed', 1],
  ['Isolate the workstation', 'successfully_executed', 1],
  ['Until it is isolated', 'successfully_executed', 1],
  ['Ask for its state', 'successfully_executed', 3],
];

/** Throws with all that is wrong. */
export function verify(
  report: Report,
  called: ReadonlyMap<string, Executed>,
  calls: readonly string[],
): void {
  const steps = Object.values(report.step_results);
  const found = steps.map(({ name, status, execution_count }) => [name, status, execution_count]);
  const wrong = [
    report.status === 'successfully_executed' ? '' : `The execution ended as ${report.status}.`,
    sameSteps(found) ? '' : `The steps are not those expected: ${JSON.stringify(found)}`,
    called.size === 1 ? '' : `${called.size} playbooks were called.`,
    calls.length === 11 ? '' : `${calls.length} calls were made: ${calls.join(', ')}`,
  ].filter((sentence) => sentence !== '');
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** Steps that run side by side may be reported in any order. */
function sameSteps(found: readonly unknown[]): boolean {
  const sorted = (steps: readonly unknown[]) => steps.map((step) => JSON.stringify(step)).sort();
  return isDeepStrictEqual(sorted(found), sorted(expected));
}
