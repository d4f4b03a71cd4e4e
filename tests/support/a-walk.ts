/** A dry walk whose effects and notes are told by the short names of the steps. */

import type {
  Effect,
  StepFailure,
  TestedVariables,
  WalkOutcome,
} from '../../core/engine/effects.ts';
import { type Guards, guards, type Plan } from '../../core/engine/plan.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Did, dryWalk, planOf, type Scripted, walkToEnd } from './dry-walk.ts';

export type Told = {
  readonly outcome: WalkOutcome;
  /** Such as `run block`, `ask look 0`, `sleep 500`, `fork both`. */
  readonly effects: readonly string[];
  /** Such as `check: ongoing`. */
  readonly notes: readonly string[];
  readonly raw: { readonly effects: readonly Effect[]; readonly texts: readonly string[] };
};

type Replies = { readonly [step: string]: Did | readonly Did[] | ((effect: Scripted) => Did) };

export const failed = (error = 'no'): { failure: StepFailure } => ({
  failure: { status: 'failed', error },
});

/** `replies` by short step name; a list is used up one by one, its last entry again and again. */
export function walk(
  playbook: JsonObject,
  replies: Replies = {},
  more: {
    readonly parallel?: Plan['parallel'];
    readonly limits?: Partial<Guards>;
    /** Values of text variables, or declared ones. */
    readonly variables?: { readonly [name: string]: string | TestedVariables[string] };
    readonly deadlineMs?: number;
  } = {},
): Told {
  const plan = planOf(playbook, more.parallel);
  const dry = dryWalk(plan, {
    limits: { ...guards, ...more.limits },
    variables: declared(more.variables ?? {}),
  });
  const used = new Map<string, number>();
  const script = (effect: Scripted): Did => {
    const name = nameOf(playbook, effect.step);
    const reply = replies[name];
    if (typeof reply === 'function') return reply(effect);
    if (reply === undefined || !isList(reply)) return reply ?? {};
    const at = used.get(name) ?? 0;
    used.set(name, at + 1);
    return reply[Math.min(at, reply.length - 1)] ?? {};
  };
  const outcome = walkToEnd(dry, script, more.deadlineMs);
  return {
    outcome,
    effects: dry.effects.map((effect) => told(playbook, effect)),
    notes: dry.notes.map(({ step, status }) => `${nameOf(playbook, step)}: ${status}`),
    raw: { effects: dry.effects, texts: dry.notes.map(({ text }) => text) },
  };
}

/** Only what was done outside: `finish` and empty sleeps are left out. */
export function doings({ effects }: Told): readonly string[] {
  return effects.filter((effect) => !effect.startsWith('finish') && effect !== 'sleep 0');
}

export function nameOf(playbook: JsonObject, step: string): string {
  const workflow = playbook['workflow'] as { readonly [id: string]: { readonly name?: string } };
  return workflow[step]?.name ?? step;
}

function declared(given: { readonly [name: string]: string | TestedVariables[string] }) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? { type: 'string', value } : value,
    ]),
  );
}

function told(playbook: JsonObject, effect: Effect): string {
  switch (effect.kind) {
    case 'sleep':
      return `sleep ${effect.forMs}`;
    case 'finish':
      return `finish ${effect.outcome.status}`;
    case 'ask':
      return `ask ${nameOf(playbook, effect.step)} ${effect.question}`;
    default:
      return `${effect.kind} ${nameOf(playbook, effect.step)}`;
  }
}

function isList(reply: Did | readonly Did[]): reply is readonly Did[] {
  return Array.isArray(reply);
}
