/**
 * A report as a tree. The report itself is a flat map of steps; which step stands inside which is told
 * by the playbook, and a called playbook has a report of its own.
 */

import type { Playbook, WorkflowStep } from '../../core/cacao/playbook.ts';
import type { Report, StepResult } from './api.ts';

/** An execution with those it called, by the ids of their executions. */
export type Executed = {
  readonly playbook: Playbook;
  readonly report: Report;
  readonly called: ReadonlyMap<string, Executed>;
};

export function reportTree(executed: Executed): readonly string[] {
  const { report } = executed;
  const head = `${report.name}  [${report.status}, ${secondsOf(report)}]`;
  return [head, ...indented(nodesOf(executed))];
}

/** A step and what happened inside it. */
type Node = { readonly text: string; readonly inside: readonly Node[] };

function nodesOf(executed: Executed): readonly Node[] {
  const { playbook } = executed;
  const seen = new Set<string>();
  const exception = playbook.workflow_exception;
  return [playbook.workflow_start, exception].flatMap((start) => follow(executed, start, seen));
}

/** The steps from `id` on; those that were not reached are passed over. */
function follow(executed: Executed, id: string | undefined, seen: Set<string>): readonly Node[] {
  const step = id === undefined ? undefined : executed.playbook.workflow[id];
  if (id === undefined || step === undefined || seen.has(id)) return [];
  seen.add(id);
  const result = executed.report.step_results[id];
  if (result === undefined && step.type !== 'start') return [];
  const later = successorsOf(step).flatMap((next) => follow(executed, next, seen));
  if (result === undefined) return later;
  const branches = branchesOf(step).flatMap((start) => follow(executed, start, seen));
  const child = executed.called.get(result.sub_execution_id ?? '');
  const inside = child === undefined ? branches : [childNode(child)];
  return [{ text: textOf(step, result), inside }, ...later];
}

function childNode(child: Executed): Node {
  const { report } = child;
  const text = `${report.name}  [${report.status}, ${secondsOf(report)}]`;
  return { text, inside: nodesOf(child) };
}

function branchesOf(step: WorkflowStep): readonly (string | undefined)[] {
  switch (step.type) {
    case 'if-condition':
      return [step.on_true, step.on_false];
    case 'while-condition':
      return [step.on_true];
    case 'switch-condition':
      return Object.values(step.cases);
    case 'parallel':
      return step.next_steps;
    default:
      return [];
  }
}

function successorsOf(step: WorkflowStep): readonly (string | undefined)[] {
  if (step.type === 'end') return [];
  return [step.on_completion, step.on_success, step.on_failure];
}

function textOf(step: WorkflowStep, result: StepResult): string {
  const { execution_count: count, name, status, executed_by, error, status_text } = result;
  const facts = [
    status,
    secondsOf(result),
    ...(count > 1 ? [`executed ${count} times`] : []),
    ...(result.automated_execution ? [] : [`by ${executed_by}`]),
    ...(step.type === 'while-condition' ? [status_text] : []),
  ];
  const why = error === undefined ? '' : `\n${error}`;
  return `${step.type}: ${name}  [${facts.join(', ')}]${why}`;
}

function secondsOf({ started, ended }: { readonly started: string; readonly ended: string }) {
  return `${((Date.parse(ended) - Date.parse(started)) / 1000).toFixed(2)} s`;
}

function indented(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap(({ text, inside }, index) => {
    const isLast = index === nodes.length - 1;
    const [first = '', ...rest] = text.split('\n');
    const below = [...rest.map((line) => `  ${line}`), ...indented(inside)];
    return [
      `${isLast ? '└─' : '├─'} ${first}`,
      ...below.map((line) => `${isLast ? '  ' : '│ '} ${line}`),
    ];
  });
}
