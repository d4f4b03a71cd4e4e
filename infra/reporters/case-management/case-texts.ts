/** What is written into cases and tasks, as markdown. */

import type { Variables } from '../../../core/cacao/playbook.ts';
import type { Run, StepRecord } from '../../../core/execution/run.ts';
import type { RunFacts } from '../../../core/ports/run-facts.ts';
import type { CaseContent, TaskContent } from './case-api.ts';

type Playbook = RunFacts['playbook'];

/** Cases must have a description. */
export function caseContent(
  playbook: Playbook,
  tags: readonly string[],
  redact: (text: string) => string,
): CaseContent {
  const { name, description } = playbook;
  return { title: redact(name), description: redact(description || name), tags };
}

/** The lines with the ids tell the task of one step of one execution from all others. */
export function taskContent(run: Run, stepId: string, facts: RunFacts): TaskContent {
  const step = facts.playbook.workflow[stepId];
  const lines = [step?.description ?? '', `Step: ${stepId}`, `Execution: ${run.executionId}`];
  return {
    title: facts.redact(step?.name || stepId),
    description: facts.redact(lines.filter((line) => line !== '').join('\n\n')),
  };
}

export function isTaskOf(description: string, run: Run, stepId: string): boolean {
  return description.includes(stepId) && description.includes(run.executionId);
}

export function runStarted(run: Run): string {
  const called = run.parent === undefined ? '' : `, called by execution ${run.parent.executionId}`;
  return `Execution \`${run.executionId}\` of the playbook **${run.name}** started at ${time(run.startedMs)}${called}.`;
}

export function runEnded(run: Run): string {
  const end = `Execution \`${run.executionId}\` ended at ${time(run.endedMs)}: ${run.status}.`;
  return withErrors(end, run.errors);
}

export function summaryOf(run: Run): string {
  return withErrors(`The playbook ${run.name} ended: ${run.status}.`, run.errors);
}

export function stepStarted(step: StepRecord): string {
  return `Step **${step.name || step.stepId}** started at ${time(step.startedMs)}.`;
}

export function stepEnded(step: StepRecord): string {
  const name = step.name || step.stepId;
  const end = `Step **${name}** ended at ${time(step.endedMs)}: ${step.status}, executed by ${step.executedBy}.`;
  return withErrors(end, step.errors);
}

export function stepDefinition(stepId: string, { playbook, redact }: RunFacts): string {
  return block(redact(JSON.stringify(playbook.workflow[stepId] ?? {}, null, 2)));
}

export function variablesText(variables: Variables): string {
  return `Variables:\n\n${block(JSON.stringify(variables, null, 2))}`;
}

function withErrors(text: string, errors: readonly string[]): string {
  return [text, ...errors.map((error) => `- ${error}`)].join('\n');
}

/** The fence is longer than any run of backticks inside. */
function block(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}json\n${text}\n${fence}`;
}

function time(atMs: number | undefined): string {
  return new Date(atMs ?? 0).toISOString();
}
