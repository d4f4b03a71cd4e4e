/**
 * Reports executions to a case management system: a case per execution, a task per step, what happens as
 * comments and logs.
 *
 * M1  A refused call is logged and the next one made; a system that is away ends the event.
 * M2  Nothing secret is written: records come redacted, texts of the playbook are redacted here.
 */

import type { Run, StepRecord } from '../../../core/execution/run.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { RunEvent } from '../../../core/ports/reporter.ts';
import type { RunLookup } from '../../../core/ports/run-facts.ts';
import { DeliveryQueue } from '../delivery-queue.ts';
import { describeEvent, type OpenReporter } from '../open-reporter.ts';
import { CallFailed } from '../patient-calls.ts';
import type { CaseApi } from './case-api.ts';
import { CaseFiles } from './case-files.ts';
import {
  caseContent,
  runEnded,
  runStarted,
  stepDefinition,
  stepEnded,
  stepStarted,
  summaryOf,
  taskContent,
  variablesText,
} from './case-texts.ts';
import { correlatedCase } from './correlate.ts';

export type CaseReporterParts = {
  readonly api: CaseApi;
  readonly lookUp: RunLookup;
  readonly correlate: boolean;
  /** Of automated tasks; undefined assigns them to nobody. */
  readonly assignee: string | undefined;
  readonly log: Log;
  readonly sleep: (forMs: number, signal: AbortSignal) => Promise<unknown>;
};

export function createCaseReporter(parts: CaseReporterParts): OpenReporter {
  const name = 'case-management';
  const desk = new CaseDesk(parts);
  const queue = new DeliveryQueue<RunEvent>({
    name,
    log: parts.log,
    describe: describeEvent,
    deliver: (event, signal) => desk.take(event, signal),
  });
  return {
    name,
    report: (event) => queue.put(event),
    close: (patienceMs) => queue.close(patienceMs),
  };
}

class CaseDesk {
  readonly #parts: CaseReporterParts;
  readonly #files: CaseFiles;

  constructor(parts: CaseReporterParts) {
    const { api, lookUp, correlate, sleep } = parts;
    this.#parts = parts;
    this.#files = new CaseFiles({
      api,
      lookUp,
      sleep,
      correlated: (facts) => (correlate ? correlatedCase(facts.variables) : undefined),
    });
  }

  async take(event: RunEvent, signal: AbortSignal): Promise<void> {
    switch (event.kind) {
      case 'execution-started':
        return this.#open(event.run, signal);
      case 'step-started':
        return this.#beginTask(event.run, event.step, signal);
      case 'step-ended':
        return this.#endTask(event.run, event.step, signal);
      case 'execution-ended':
        return this.#end(event.run, signal);
    }
  }

  async #open(run: Run, signal: AbortSignal): Promise<void> {
    const { api, lookUp, correlate } = this.#parts;
    const { executionId } = run;
    this.#files.set(executionId, 'none');
    const facts = await lookUp(executionId);
    if (facts === undefined) return;
    const { playbook, variables, redact } = facts;
    const tags = [executionId, run.playbookId, ...(playbook.labels ?? [])];
    const known = correlate ? correlatedCase(variables) : undefined;
    const caseId = known ?? (await api.openCase(caseContent(playbook, tags, redact), signal));
    const tasks = new Map<string, string>();
    this.#files.set(executionId, { caseId, tasks, begun: new Set() });
    if (known !== undefined) await this.#allow(this.#addTags(known, tags, signal));
    for (const [stepId, { type }] of Object.entries(playbook.workflow)) {
      if (type === 'start' || type === 'end') continue;
      const opening = api.openTask(caseId, taskContent(run, stepId, facts), signal);
      await this.#allow(opening.then((task) => tasks.set(stepId, task)));
    }
    await this.#allow(api.comment(caseId, runStarted(run), signal));
    await this.#allow(api.comment(caseId, variablesText(variables), signal));
  }

  async #addTags(caseId: string, tags: readonly string[], signal: AbortSignal): Promise<void> {
    const { api } = this.#parts;
    const present = await api.tagsOf(caseId, signal);
    await api.changeCase(caseId, { tags: [...new Set([...present, ...tags])] }, signal);
  }

  async #beginTask(run: Run, step: StepRecord, signal: AbortSignal): Promise<void> {
    const { api, lookUp } = this.#parts;
    const file = await this.#files.of(run, signal);
    const task = file?.tasks.get(step.stepId);
    if (file === undefined || task === undefined || file.begun.has(step.invocation)) return;
    file.begun.add(step.invocation);
    const assignee = await this.#assigneeOf(step, signal);
    const change = { status: 'InProgress' as const };
    await this.#allow(
      api.changeTask(task, assignee === undefined ? change : { ...change, assignee }, signal),
    );
    await this.#allow(api.logTask(task, stepStarted(step), signal));
    const facts = await lookUp(run.executionId);
    if (facts === undefined) return;
    await this.#allow(api.logTask(task, stepDefinition(step.stepId, facts), signal));
  }

  /** A manual task goes to whoever owns the token: an assignee must exist in that system. */
  async #assigneeOf(step: StepRecord, signal: AbortSignal): Promise<string | undefined> {
    const { api, assignee } = this.#parts;
    return step.automated ? assignee : this.#allow(api.login(signal));
  }

  async #endTask(run: Run, step: StepRecord, signal: AbortSignal): Promise<void> {
    const { api } = this.#parts;
    // Steps that take no time are told of once, when they have ended.
    await this.#beginTask(run, step, signal);
    const task = (await this.#files.of(run, signal))?.tasks.get(step.stepId);
    if (task === undefined) return;
    await this.#allow(api.logTask(task, variablesText(step.variables), signal));
    await this.#allow(api.logTask(task, stepEnded(step), signal));
    const status = step.status === 'successfully_executed' ? 'Completed' : 'Cancel';
    await this.#allow(api.changeTask(task, { status }, signal));
  }

  async #end(run: Run, signal: AbortSignal): Promise<void> {
    const { api, lookUp, correlate } = this.#parts;
    const file = await this.#files.of(run, signal);
    this.#files.forget(run.executionId);
    if (file === undefined) return;
    const facts = await lookUp(run.executionId);
    if (facts !== undefined) {
      await this.#allow(api.comment(file.caseId, variablesText(facts.variables), signal));
    }
    await this.#allow(api.comment(file.caseId, runEnded(run), signal));
    // A called playbook shares the case its caller was correlated with; that one goes on.
    if (correlate && run.parent !== undefined) return;
    const status = run.status === 'successfully_executed' ? 'TruePositive' : 'Indeterminate';
    await this.#allow(api.changeCase(file.caseId, { status, summary: summaryOf(run) }, signal));
  }

  /** A refused call must not keep the others from being made. */
  async #allow<Value>(call: Promise<Value>): Promise<Value | undefined> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof CallFailed) || !error.refused) throw error;
      this.#parts.log.warning('case-management.refused', { error });
      return undefined;
    }
  }
}
