/** Edges that lead back to a step of the path they come from, found by one depth-first search. */

import type { Draft, DraftStep } from './draft.ts';
import type { Edge, FlowGraph } from './flow-graph.ts';

export type Loop = { readonly from: DraftStep; readonly edge: Edge };

/**
 * Three colours: a step is unseen, open (on the path) or done. Each step is opened once, so a ladder of
 * diamonds costs no more than its edges. The path is a list of its own, so depth costs no stack.
 */
export function findLoops(draft: Draft, graph: FlowGraph): readonly Loop[] {
  const colour = new Map<DraftStep, 'open' | 'done'>();
  const loops: Loop[] = [];
  for (const root of [...graph.entries, ...draft.steps.values()]) {
    if (colour.has(root)) continue;
    const path = [{ step: root, edges: graph.edges(root).values() }];
    colour.set(root, 'open');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { done, value: edge } = top.edges.next();
      if (done === true || edge === undefined) {
        colour.set(top.step, 'done');
        path.pop();
      } else if (colour.get(edge.to) === 'open') {
        loops.push({ from: top.step, edge });
      } else if (!colour.has(edge.to)) {
        colour.set(edge.to, 'open');
        path.push({ step: edge.to, edges: graph.edges(edge.to).values() });
      }
    }
  }
  return loops;
}
