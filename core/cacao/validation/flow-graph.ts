/** The workflow as a graph: which steps follow a step, and which begin the branches it opens. */

import { type Draft, type DraftStep, type Path, textsIn } from './draft.ts';

export type Edge = {
  readonly to: DraftStep;
  readonly path: Path;
  /** `next` goes on in the same branch, `branch` opens one that returns here at its end. */
  readonly kind: 'next' | 'branch';
};

export type FlowGraph = {
  readonly edges: (step: DraftStep) => readonly Edge[];
  /** Where executions begin: workflow_start, then workflow_exception. */
  readonly entries: readonly DraftStep[];
};

const nextMembers = ['on_completion', 'on_success', 'on_failure'] as const;

/** The members that open a branch, by step type. */
const branchMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['if-condition', ['on_true', 'on_false']],
  ['while-condition', ['on_true']],
  ['switch-condition', ['cases']],
  ['parallel', ['next_steps']],
]);

/** Dangling references have no edge. */
export function flowGraph(draft: Draft): FlowGraph {
  const known = new Map<DraftStep, readonly Edge[]>();
  for (const step of draft.steps.values()) {
    known.set(step, [
      ...nextMembers.flatMap((member) => edgesOf(step, member, 'next')),
      ...(branchMembers.get(step.type ?? '') ?? []).flatMap((member) =>
        edgesOf(step, member, 'branch'),
      ),
    ]);
  }
  const entries = ['workflow_start', 'workflow_exception'].flatMap((name) => {
    const entry = stepAt(draft.root[name]);
    return entry === undefined ? [] : [entry];
  });
  return { entries, edges: (step) => known.get(step) ?? [] };

  function edgesOf(step: DraftStep, member: string, kind: Edge['kind']): Edge[] {
    return textsIn(step.json, member, step.path).flatMap(({ value, path }) => {
      const to = stepAt(value);
      return to === undefined ? [] : [{ to, path, kind }];
    });
  }

  function stepAt(id: unknown): DraftStep | undefined {
    return typeof id === 'string' ? draft.steps.get(id) : undefined;
  }
}

/** Whether the flow goes on behind the step when it succeeded. */
export function hasContinuation(step: DraftStep): boolean {
  return step.json['on_completion'] !== undefined || step.json['on_success'] !== undefined;
}

export function opensBranches(step: DraftStep): boolean {
  return branchMembers.has(step.type ?? '');
}
