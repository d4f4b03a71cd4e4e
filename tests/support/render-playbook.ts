/** Turns a tree of step descriptions into playbook documents and the fates of their steps. */

import type { JsonObject, JsonValue } from '../../core/json.ts';
import { action, aPlaybook, byPerson, playbookIdOf } from './a-playbook.ts';

/** What becomes of a step that works. */
export type Fate =
  | { readonly does: 'succeed' | 'fail' | 'crash' | 'tick'; readonly tookMs: number }
  | { readonly does: 'answer' | 'decline' | 'ignore'; readonly tookMs: number };

export type GeneratedPlaybook = {
  readonly playbook: JsonObject;
  /** To be stored before it is triggered; they are called by it or by one another. */
  readonly children: readonly JsonObject[];
  /** By step name; names are unique over the playbook and its children. */
  readonly fates: { readonly [step: string]: Fate };
};

type Common = {
  readonly delayMs: number;
  readonly timeoutMs: number;
  readonly tookMs: number;
  /** skip: on_failure goes where success goes; handle: by way of another action. */
  readonly onFailure: 'none' | 'skip' | 'handle';
  /** Whether it has a step-level variable. */
  readonly locals: boolean;
};

export type Node =
  | (Common & {
      readonly kind: 'action';
      readonly does: 'succeed' | 'fail' | 'crash';
      readonly outArgs: boolean;
    })
  | (Common & {
      readonly kind: 'manual';
      readonly does: 'answer' | 'decline' | 'ignore';
      readonly questions: number;
    })
  | (Common & {
      readonly kind: 'if';
      /** Which of the variables known there is tested. */
      readonly pick: number;
      readonly test: 'same' | 'other' | 'broken';
      readonly onTrue: readonly Node[];
      readonly onFalse: readonly Node[] | null;
    })
  /** A loop of so many turns; -1 never ends by itself. */
  | (Common & { readonly kind: 'while'; readonly turns: number; readonly body: readonly Node[] })
  | (Common & {
      readonly kind: 'switch';
      readonly pick: number;
      readonly done: readonly Node[];
      readonly other: readonly Node[] | null;
    })
  | (Common & { readonly kind: 'parallel'; readonly branches: readonly (readonly Node[])[] })
  | (Common & {
      readonly kind: 'child';
      readonly body: readonly Node[];
      readonly missing: boolean;
      readonly outArgs: boolean;
    });

const MOST_STEPS = 60;

export function renderPlaybook(
  body: readonly Node[],
  rescue: readonly Node[] | undefined,
): GeneratedPlaybook {
  const shared: Shared = { left: MOST_STEPS, named: 0, fates: {}, children: [] };
  const playbook = rendered('main', shared, body, rescue);
  return { playbook, children: shared.children, fates: shared.fates };
}

/** What the documents of one playbook share; `left` counts the steps that may still be made. */
type Shared = {
  left: number;
  named: number;
  readonly fates: { [step: string]: Fate };
  readonly children: JsonObject[];
};

type Steps = { [name: string]: { readonly type: string; readonly [member: string]: JsonValue } };

/** One document in the making, and the variables a condition at this place may read. */
type Place = { readonly shared: Shared; readonly steps: Steps; readonly known: string[] };

function rendered(
  name: string,
  shared: Shared,
  body: readonly Node[],
  rescue: readonly Node[] | undefined,
): JsonObject {
  const first = fresh(shared);
  shared.left -= rescue === undefined ? 2 : 3;
  const place: Place = { shared, steps: { [first]: { type: 'start' } }, known: [] };
  place.steps[first] = { type: 'start', on_completion: sequence(place, body) };
  if (rescue === undefined) return aPlaybook(name, place.steps);
  const exception = sequence({ ...place, known: [] }, rescue);
  return aPlaybook(name, place.steps, { workflow_exception: exception });
}

/** Steps one after the other and an end; answers the name of the first. The end is paid for already. */
function sequence(place: Place, nodes: readonly Node[]): string {
  const { shared, steps } = place;
  const kept: { readonly node: Node; readonly name: string }[] = [];
  for (const node of nodes) {
    const cost = costOf(node);
    if (cost > shared.left) break;
    shared.left -= cost;
    kept.push({ node, name: fresh(shared) });
  }
  const end = fresh(shared);
  steps[end] = { type: 'end' };
  kept.forEach(({ node, name }, at) => {
    const next = kept[at + 1]?.name ?? end;
    const special = own(place, name, node);
    steps[name] = {
      ...special,
      ...timed(node),
      ...successors(place, node, next),
      ...locals(place, node),
    };
  });
  return kept[0]?.name ?? end;
}

/** Itself, the end of each of its branches, and what else it needs for certain. */
function costOf(node: Node): number {
  const handler = node.onFailure === 'handle' ? 1 : 0;
  switch (node.kind) {
    case 'action':
    case 'manual':
      return 1 + handler;
    case 'if':
      return 2 + (node.onFalse === null ? 0 : 1) + handler;
    case 'while':
      return 3 + handler;
    case 'switch':
      return 2 + (node.other === null ? 0 : 1) + handler;
    case 'parallel':
      return 1 + node.branches.length + handler;
    case 'child':
      return 3 + handler;
  }
}

function own(place: Place, name: string, node: Node): Steps[string] {
  const { shared, known } = place;
  switch (node.kind) {
    case 'action': {
      shared.fates[name] = { does: node.does, tookMs: node.tookMs };
      known.push(`__${name}__`);
      return action(undefined, node.outArgs ? { out_args: [`__${name}__`] } : {});
    }
    case 'manual': {
      shared.fates[name] = { does: node.does, tookMs: node.tookMs };
      known.push(`__${name}__`);
      const commands = Array.from({ length: node.questions }, (_, n) => ({
        type: 'manual',
        command: `Question ${n} of ${name}`,
      }));
      return action(undefined, { ...byPerson, commands, out_args: [`__${name}__`] });
    }
    case 'if':
      return {
        type: 'if-condition',
        condition: condition(known, node.pick, node.test),
        on_true: sequence(place, node.onTrue),
        ...(node.onFalse === null ? {} : { on_false: sequence(place, node.onFalse) }),
      };
    case 'while':
      return loop(place, name, node.turns, node.body);
    case 'switch': {
      const subject = `${known[node.pick % Math.max(1, known.length)] ?? '__none__'}:value`;
      const done = sequence(place, node.done);
      const cases = node.other === null ? { done } : { done, default: sequence(place, node.other) };
      return { type: 'switch-condition', switch: subject, cases };
    }
    case 'parallel': {
      const branches = node.branches.map((branch) => {
        const inside = { ...place, known: [...known] };
        return { start: sequence(inside, branch), written: inside.known.slice(known.length) };
      });
      known.push(...branches.flatMap(({ written }) => written));
      return { type: 'parallel', next_steps: branches.map(({ start }) => start) };
    }
    case 'child':
      return call(place, name, node);
  }
}

function loop(place: Place, name: string, turns: number, nodes: readonly Node[]): Steps[string] {
  const body = sequence(place, nodes);
  if (turns <= 0) {
    place.shared.left += 1;
    const test = turns === 0 ? "'a' = 'b'" : "'a' = 'a'";
    return { type: 'while-condition', condition: test, on_true: body };
  }
  const tick = `t${name}`;
  place.shared.fates[tick] = { does: 'tick', tookMs: 0 };
  place.steps[tick] = action(body);
  return { type: 'while-condition', condition: `__${tick}__:value != '${turns}'`, on_true: tick };
}

function call(
  { shared, known }: Place,
  name: string,
  node: Extract<Node, { readonly kind: 'child' }>,
): Steps[string] {
  const before = new Set(Object.keys(shared.fates));
  const inner: Shared = { ...shared, left: shared.left + 2 };
  const child = rendered(name, inner, node.body, undefined);
  Object.assign(shared, { left: inner.left, named: inner.named });
  if (!node.missing) shared.children.push(child);
  const written = Object.keys(inner.fates)
    .filter((step) => !before.has(step) && inner.fates[step]?.does !== 'tick')
    .map((step) => `__${step}__`);
  if (!node.outArgs) known.push(...written.slice(-1));
  const outArgs = node.outArgs ? { out_args: written.slice(-1) } : {};
  return { type: 'playbook-action', playbook_id: playbookIdOf(name), ...outArgs };
}

function condition(
  known: readonly string[],
  pick: number,
  test: 'same' | 'other' | 'broken',
): string {
  if (test === 'broken') return 'is it so';
  const name = known[pick % Math.max(1, known.length)] ?? '__none__';
  return `${name}:value ${test === 'same' ? '=' : '!='} 'done'`;
}

function timed({ delayMs, timeoutMs }: Node): JsonObject {
  return {
    ...(delayMs === 0 ? {} : { delay: delayMs }),
    ...(timeoutMs === 0 ? {} : { timeout: timeoutMs }),
  };
}

function successors({ shared, steps }: Place, node: Node, next: string): JsonObject {
  if (node.onFailure === 'none') return { on_completion: next };
  if (node.onFailure === 'skip') return { on_success: next, on_failure: next };
  const handler = fresh(shared);
  shared.fates[handler] = { does: 'succeed', tookMs: 0 };
  steps[handler] = action(next);
  return { on_success: next, on_failure: handler };
}

function locals({ known }: Place, node: Node): JsonObject {
  if (!node.locals) return {};
  const hidden = known.at(-1) ?? '__local__';
  return { step_variables: { [hidden]: { type: 'string', value: 'done' } } };
}

function fresh(shared: Shared): string {
  shared.named += 1;
  return `s${shared.named}`;
}
