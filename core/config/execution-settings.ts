/** How playbooks are checked and walked, and how many runs are remembered. */

import type { ExecutionConfig } from './config.ts';
import { oneOf, webUrl, wholeNumber } from './kinds.ts';
import { optional, setting, type ValuesOf } from './variable.ts';

export const executionVariables = {
  MAX_EXECUTIONS: setting(
    wholeNumber(1),
    1000,
    'Executions kept, the current ones included. The oldest finished ones are forgotten first, running ones never.',
    { lenient: true },
  ),
  PARALLEL_BRANCHES: setting(
    oneOf(['sequential', 'concurrent']),
    'sequential',
    'Whether the branches of a parallel step run one after the other or side by side.',
  ),
  DEFAULT_STEP_TIMEOUT_MS: setting(
    wholeNumber(1, 86_400_000),
    600_000,
    'Time limit in milliseconds of an action step that names none. Manual commands wait 10 minutes whatever is set here.',
  ),
  MAX_LOOP_ITERATIONS: setting(
    wholeNumber(1),
    10_000,
    'Turns a while-condition may take before its step fails.',
  ),
  MAX_PLAYBOOK_DEPTH: setting(
    wholeNumber(1, 1000),
    16,
    'How deep playbook-action steps may nest before their step fails.',
  ),
  VALIDATION_SCHEMA_URL: optional(
    webUrl,
    'JSON schema that playbooks must fulfil instead of the built-in one. Fetched at start; changing it can slow validation down a lot.',
    { shownDefault: 'the built-in schema' },
  ),
};

export function executionConfig(values: ValuesOf<typeof executionVariables>): ExecutionConfig {
  return {
    maxExecutions: values.MAX_EXECUTIONS,
    parallelBranches: values.PARALLEL_BRANCHES,
    stepTimeoutMs: values.DEFAULT_STEP_TIMEOUT_MS,
    maxLoopIterations: values.MAX_LOOP_ITERATIONS,
    maxPlaybookDepth: values.MAX_PLAYBOOK_DEPTH,
  };
}
