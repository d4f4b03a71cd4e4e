/**
 * Arbitrary valid playbooks of up to 60 steps: all step types, nested, with a fate for every step that
 * works. Whoever carries the steps out looks the fate up by the step's name.
 *
 * G1  Every action writes a variable of its own name, and conditions of a branch read only what was
 *     written before it or in it: branches of a parallel step never touch the same names.
 * G2  All times are whole seconds, so that no real timer gets in the way of a frozen clock.
 */

import fc from 'fast-check';
import { type GeneratedPlaybook, type Node, renderPlaybook } from './render-playbook.ts';

/** What may occur; everything by default. */
export type Leanings = {
  /** Commands, answers, conditions and loops that fail. */
  readonly failures?: boolean;
  /** Delays, timeouts, and work that takes time. */
  readonly times?: boolean;
  readonly manual?: boolean;
  readonly children?: boolean;
};

export function generatedPlaybook(leanings: Leanings = {}): fc.Arbitrary<GeneratedPlaybook> {
  const { failures = true } = leanings;
  const rescue = failures
    ? fc.option(fc.array(work(leanings), { maxLength: 2 }))
    : fc.constant(null);
  return fc
    .record({ body: fc.array(node(leanings), { minLength: 1, maxLength: 6 }), rescue })
    .map(({ body, rescue: exception }) => renderPlaybook(body, exception ?? undefined));
}

function work({ failures = true, times = true }: Leanings): fc.Arbitrary<Node> {
  const does = ['succeed', 'fail', 'succeed', 'crash', 'succeed'] as const;
  return fc.record({
    kind: fc.constant('action' as const),
    does: fc.constantFrom(...(failures ? does : (['succeed'] as const))),
    outArgs: fc.boolean(),
    ...common(failures, times),
  });
}

function common(failures: boolean, times: boolean) {
  const seconds = (max: number) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: times ? 1 : 0, arbitrary: fc.integer({ min: 1, max }).map((n) => n * 1_000) },
    );
  return {
    delayMs: seconds(3),
    timeoutMs: seconds(12),
    tookMs: seconds(5),
    onFailure: fc.constantFrom(
      ...(failures ? (['none', 'skip', 'handle'] as const) : ['none' as const]),
    ),
    locals: fc.boolean(),
  };
}

function node(leanings: Leanings): fc.Arbitrary<Node> {
  const { failures = true, times = true, manual = true, children = true } = leanings;
  const shared = common(failures, times);
  const answers = failures
    ? (['answer', 'answer', 'decline', 'ignore'] as const)
    : ['answer' as const];
  const pick = fc.nat({ max: 20 });
  const tests = failures ? (['same', 'other', 'broken'] as const) : (['same', 'other'] as const);
  const { any } = fc.letrec<{ any: Node; body: Node[] }>((tie) => {
    const body = tie('body');
    const kinds: fc.WeightedArbitrary<Node>[] = [
      { weight: 6, arbitrary: work(leanings) },
      {
        weight: manual ? 2 : 0,
        arbitrary: fc.record({
          kind: fc.constant('manual' as const),
          does: fc.constantFrom(...answers),
          questions: fc.integer({ min: 1, max: 2 }),
          ...shared,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('if' as const),
          pick,
          test: fc.constantFrom(...tests),
          onTrue: body,
          onFalse: fc.option<readonly Node[]>(body),
          ...shared,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('while' as const),
          turns: fc.integer({ min: failures ? -1 : 0, max: 2 }),
          body,
          ...shared,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('switch' as const),
          pick,
          done: body,
          other: fc.option<readonly Node[]>(body),
          ...shared,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('parallel' as const),
          branches: fc.array(body, { minLength: 1, maxLength: 3 }),
          ...shared,
        }),
      },
      {
        weight: children ? 1 : 0,
        arbitrary: fc.record({
          kind: fc.constant('child' as const),
          body,
          missing: failures ? fc.nat({ max: 4 }).map((n) => n === 0) : fc.constant(false),
          outArgs: fc.boolean(),
          ...shared,
        }),
      },
    ];
    return {
      any: fc.oneof({ maxDepth: 4, depthIdentifier: 'nesting' }, ...kinds),
      body: fc.array(tie('any'), { maxLength: 3, depthIdentifier: 'nesting' }),
    };
  });
  return any;
}
