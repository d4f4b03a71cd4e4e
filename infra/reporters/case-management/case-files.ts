/**
 * Which case and which tasks belong to an execution. Known for executions begun in this process; those
 * begun in another one, or before a restart, are found in the case management system by their ids.
 */

import type { ExecutionId } from '../../../core/execution/ids.ts';
import type { Run } from '../../../core/execution/run.ts';
import type { RunFacts, RunLookup } from '../../../core/ports/run-facts.ts';
import type { CaseApi } from './case-api.ts';
import { isTaskOf } from './case-texts.ts';

export type CaseFile = {
  readonly caseId: string;
  /** Task ids by step id. */
  readonly tasks: Map<string, string>;
  /** Invocations whose start has been written down. */
  readonly begun: Set<string>;
};

export type CaseFilesParts = {
  readonly api: CaseApi;
  readonly lookUp: RunLookup;
  /** The case the execution was correlated with when it was triggered. */
  readonly correlated: (facts: RunFacts) => string | undefined;
  readonly sleep: (forMs: number, signal: AbortSignal) => Promise<unknown>;
};

/** Whoever began the execution may not have opened its case yet. */
const SEARCHES = 4;
const FIRST_WAIT_MS = 500;
const MOST_FILES = 1_000;

export class CaseFiles {
  readonly #parts: CaseFilesParts;
  readonly #files = new Map<ExecutionId, CaseFile | 'none'>();

  constructor(parts: CaseFilesParts) {
    this.#parts = parts;
  }

  /** `none` spares the events that follow a search that is known to be in vain. */
  set(id: ExecutionId, file: CaseFile | 'none'): void {
    this.#files.delete(id);
    this.#files.set(id, file);
    const oldest = this.#files.keys().next().value;
    if (this.#files.size > MOST_FILES && oldest !== undefined) this.#files.delete(oldest);
  }

  forget(id: ExecutionId): void {
    this.#files.delete(id);
  }

  /** Undefined when the execution has no case. */
  async of(run: Run, signal: AbortSignal): Promise<CaseFile | undefined> {
    const known = this.#files.get(run.executionId);
    if (known !== undefined) return known === 'none' ? undefined : known;
    for (let search = 0; search < SEARCHES; search += 1) {
      if (search > 0) await this.#parts.sleep(FIRST_WAIT_MS * 2 ** search, signal);
      const found = await this.#find(run, signal);
      if (found === undefined) continue;
      this.set(run.executionId, found);
      return found;
    }
    this.set(run.executionId, 'none');
    return undefined;
  }

  async #find(run: Run, signal: AbortSignal): Promise<CaseFile | undefined> {
    const { api, lookUp, correlated } = this.#parts;
    const facts = await lookUp(run.executionId);
    if (facts === undefined) return undefined;
    const caseId = correlated(facts) ?? (await api.caseWithTag(run.executionId, signal));
    if (caseId === undefined) return undefined;
    const tasks = await api.tasksOf(caseId, signal);
    const byStep = Object.keys(facts.playbook.workflow).flatMap((stepId) => {
      const task = tasks.find(({ description }) => isTaskOf(description, run, stepId));
      return task === undefined ? [] : [[stepId, task.id] as const];
    });
    return { caseId, tasks: new Map(byStep), begun: new Set() };
  }
}
