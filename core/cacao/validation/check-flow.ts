/** How a workflow is walked: no loops, no dead ends, nothing unreachable. Every search is linear. */

import { identifierPrefix } from '../ids.ts';
import { stepTypes } from '../schema/step.ts';
import type { Draft, DraftStep } from './draft.ts';
import { findLoops } from './find-loops.ts';
import { type FlowGraph, flowGraph, hasContinuation, opensBranches } from './flow-graph.ts';
import type { Report } from './report.ts';

export function checkFlow(draft: Draft, report: Report): void {
  const graph = flowGraph(draft);
  for (const step of draft.steps.values()) {
    checkType(step, report);
    checkEnd(step, report);
    checkSuccessors(step, report);
  }
  checkStart(draft, report);
  for (const { from, edge } of findLoops(draft, graph)) {
    report(
      'loop',
      edge.path,
      `Step ${from.id} leads back to ${edge.to.id}; only while-condition repeats steps.`,
    );
  }
  const reached = checkReach(draft, graph, report);
  if (reached) checkSharing(graph, report);
  checkExceptions(draft, report);
}

const knownTypes: ReadonlySet<string> = new Set(stepTypes);

function checkType(step: DraftStep, report: Report): void {
  const prefix = identifierPrefix(step.id);
  if (step.type === undefined || prefix === undefined || prefix === step.type) return;
  if (!knownTypes.has(prefix) || !knownTypes.has(step.type)) return;
  report('step-type', [...step.path, 'type'], `Step ${step.id} has the type ${step.type}.`);
}

function checkStart({ root, steps }: Draft, report: Report): void {
  const id = root['workflow_start'];
  const step = typeof id === 'string' ? steps.get(id) : undefined;
  if (step?.type === undefined || step.type === 'start') return;
  report('start-type', ['workflow_start'], `Step ${step.id} has the type ${step.type}, not start.`);
}

function checkEnd(step: DraftStep, report: Report): void {
  if (step.type === undefined || step.type === 'end' || !knownTypes.has(step.type)) return;
  if (hasContinuation(step) || opensBranches(step)) return;
  report(
    'branch-without-end',
    step.path,
    `Step ${step.id} has no next step, so its branch ends there.`,
  );
}

function checkSuccessors(step: DraftStep, report: Report): void {
  const { on_completion, on_success, on_failure } = step.json;
  if (on_completion === undefined || (on_success === undefined && on_failure === undefined)) return;
  const others = on_success === undefined ? 'on_failure' : 'on_success';
  report(
    'ambiguous-successor',
    [...step.path, 'on_completion'],
    `Step ${step.id} has on_completion and ${others}; CACAO allows one of them.`,
  );
}

/** Answers whether there was anything to start from. */
function checkReach(draft: Draft, graph: FlowGraph, report: Report): boolean {
  if (graph.entries.length === 0) return false;
  const reached = new Set<DraftStep>(graph.entries);
  for (const step of reached) {
    for (const edge of graph.edges(step)) reached.add(edge.to);
  }
  for (const step of draft.steps.values()) {
    if (!reached.has(step)) {
      report('unreachable', step.path, `Step ${step.id} cannot be reached from workflow_start.`);
    }
  }
  return true;
}

/**
 * Every step belongs to the branch it is first reached in. Reaching it from another one means that a branch
 * runs on into steps outside it, which are then run again after the branch returns. An if or switch without a
 * continuation opens no branch of its own: nothing follows it that could run twice.
 */
function checkSharing(graph: FlowGraph, report: Report): void {
  const branchOf = new Map<DraftStep, string>();
  const pending: DraftStep[] = [];
  const reported = new Set<DraftStep>();
  for (const entry of graph.entries) enter(entry, '', undefined);
  for (let at = 0; at < pending.length; at += 1) {
    const step = pending[at];
    if (step === undefined) break;
    const branch = branchOf.get(step) ?? '';
    for (const edge of graph.edges(step)) {
      enter(edge.to, edge.kind === 'next' ? branch : branchOpened(step, branch, edge.to), step);
    }
  }

  function enter(step: DraftStep, branch: string, from: DraftStep | undefined): void {
    const known = branchOf.get(step);
    if (known === undefined) {
      branchOf.set(step, branch);
      pending.push(step);
    } else if (
      known !== branch &&
      from !== undefined &&
      step.type !== 'end' &&
      !reported.has(step)
    ) {
      reported.add(step);
      report(
        'shared-continuation',
        step.path,
        `Step ${step.id} is entered from inside a branch and from outside it, so it may run twice.`,
      );
    }
  }
}

function branchOpened(step: DraftStep, branch: string, start: DraftStep): string {
  if (step.type === 'parallel') return `${step.id} ${start.id}`;
  return hasContinuation(step) || step.type === 'while-condition' ? step.id : branch;
}

/** One finding for the playbook: the first step whose failure nobody handles stands for all. */
function checkExceptions({ root, steps }: Draft, report: Report): void {
  if (root['workflow_exception'] !== undefined) return;
  for (const step of steps.values()) {
    const works =
      step.type === 'action' || step.type === 'single' || step.type === 'playbook-action';
    if (!works || step.json['on_failure'] !== undefined) continue;
    const message = `The playbook has no workflow_exception, so a failure of ${step.id} ends the execution.`;
    report('no-exception-handling', [], message);
    return;
  }
}
