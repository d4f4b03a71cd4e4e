/** Carries out a generated playbook by its fates: once by the bare interpreter, once for real. */

import { argumentNames } from '../../core/cacao/arguments.ts';
import { parsePlaybookId } from '../../core/cacao/ids.ts';
import { viewPlaybook } from '../../core/cacao/playbook.ts';
import { childScope } from '../../core/cacao/variables.ts';
import type { StepFailure, TestedVariables } from '../../core/engine/effects.ts';
import { scopeOf } from '../../core/engine/frames.ts';
import type { Plan } from '../../core/engine/plan.ts';
import { type ExecutionId, mainWalk } from '../../core/execution/ids.ts';
import { answerManual } from '../../core/execution/operations/answer-manual.ts';
import type { Order, Place } from '../../core/execution/turn/order.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Performer, TestBench } from './a-bench.ts';
import { nameOf } from './a-walk.ts';
import {
  changed,
  type Did,
  type DryWalk,
  dryWalk,
  isLastQuestion,
  planOf,
  type Script,
  walkToEnd,
} from './dry-walk.ts';
import type { Fate, GeneratedPlaybook } from './render-playbook.ts';
import { noOrchestrations } from './run-playbook.ts';

/** Small, because generated loops may never end by themselves. */
export const playedLimits = { loopTurns: 2, movesPerTurn: 7 };

export type Played = {
  readonly status: string;
  /** `<name>: <status>` of every invocation, per execution in the order they were begun. */
  readonly traces: readonly (readonly string[])[];
  readonly variables: { readonly [name: string]: unknown };
};

const noFate: Fate = { does: 'succeed', tookMs: 0 };

/** By the bare interpreter; `more` may carry its turns through a store. */
export function playDry(
  generated: GeneratedPlaybook,
  parallel: Plan['parallel'],
  more: Partial<DryWalk> = {},
): Played {
  const traces: string[][] = [];
  const clock = { nowMs: 0 };
  const { status, variables } = walked(generated.playbook, {}, undefined);
  return { status, traces, variables };

  function walked(playbook: JsonObject, scope: TestedVariables, deadlineMs: number | undefined) {
    const at = traces.push([]) - 1;
    const plan = planOf(playbook, parallel);
    const limits = { ...playedLimits };
    const walk = dryWalk(plan, { clock, limits, variables: scope, ...more, record: new Map() });
    const outcome = walkToEnd(walk, scriptFor(playbook), deadlineMs);
    traces[at] = [...walk.record.values()].map(
      ({ step, status }) => `${nameOf(playbook, step)}: ${status}`,
    );
    return { ...outcome, variables: walk.variables };
  }

  function scriptFor(playbook: JsonObject): Script {
    return (effect, walk, state) => {
      const name = nameOf(playbook, effect.step);
      const fate = generated.fates[name] ?? noFate;
      const step = viewPlaybook(playbook).workflow[effect.step];
      const visible: TestedVariables = Object.assign(
        {},
        walk.variables,
        ...scopeOf(state).map((id) => viewPlaybook(playbook).workflow[id]?.step_variables),
      );
      if (effect.kind === 'run') {
        const limitMs = effect.deadlineMs ?? clock.nowMs + 600_000;
        const { values = {}, ...did } = carriedOut(name, fate, visible, limitMs - clock.nowMs);
        return { ...did, outputs: values };
      }
      if (effect.kind === 'ask') {
        const ownMs = clock.nowMs + (step?.timeout ?? 600_000);
        const limitMs = Math.min(ownMs, effect.deadlineMs ?? ownMs) - clock.nowMs;
        const { outputs = {}, ...did } = asked(name, fate, limitMs);
        return isLastQuestion(walk.plan, effect) ? { ...did, outputs } : did;
      }
      return called(step, visible, effect.deadlineMs);
    };
  }

  function called(
    step: ReturnType<typeof viewPlaybook>['workflow'][string] | undefined,
    visible: TestedVariables,
    deadlineMs: number | undefined,
  ): Did {
    if (step?.type !== 'playbook-action') throw new Error('No playbook is called.');
    const child = generated.children.find(({ id }) => id === step.playbook_id);
    if (child === undefined) return failing('client_side_error');
    const own = viewPlaybook(child).playbook_variables ?? {};
    const scope = childScope(visible, own);
    const { status, variables } = walked(child, scope, deadlineMs);
    if (status !== 'successfully_executed') {
      return failing(status === 'timeout_error' ? status : 'failed');
    }
    const outArgs = argumentNames(step.out_args);
    const written = Object.entries(changed(scope, variables)).filter(
      ([name]) => outArgs.length === 0 || outArgs.includes(name),
    );
    return {
      outputs: Object.fromEntries(written.map(([name, { value }]) => [name, value ?? ''])),
    };
  }
}

function failing(status: StepFailure['status']): Did {
  return { failure: { status, error: 'no' } };
}

type CarriedOut = Did & { readonly values?: { readonly [name: string]: string } };

function carriedOut(
  name: string,
  { does, tookMs }: Fate,
  visible: TestedVariables,
  limitMs: number,
): CarriedOut {
  if (limitMs <= 0) return failing('timeout_error');
  if (tookMs > limitMs) return { ...failing('timeout_error'), tookMs: limitMs };
  if (does === 'fail') return { ...failing('failed'), tookMs };
  if (does === 'crash') return { ...failing('server_side_error'), tookMs };
  const count = Number(visible[`__${name}__`]?.value ?? 0) + 1;
  return { values: { [`__${name}__`]: does === 'tick' ? String(count) : 'done' }, tookMs };
}

function asked(name: string, { does, tookMs }: Fate, limitMs: number): Did {
  if (does === 'ignore' || tookMs >= limitMs) {
    return { ...failing('timeout_error'), tookMs: Math.max(1, limitMs) };
  }
  if (does === 'decline') return { ...failing('failed'), tookMs };
  return { outputs: { [`__${name}__`]: 'done' }, tookMs };
}

/** For a bench: carries out the commands of generated playbooks. */
export function performerOf(generated: GeneratedPlaybook, clock: () => TestBench): Performer {
  return ({ text, variables }, { deadlineMs }) => {
    const name = /^GET \/(\S+) /.exec(text)?.[1] ?? '';
    const fate = generated.fates[name] ?? noFate;
    const bench = clock();
    const {
      failure,
      values = {},
      tookMs = 0,
    } = carriedOut(name, fate, variables, deadlineMs - bench.clock.now());
    bench.pass(tookMs);
    if (failure === undefined) return { ok: true, values };
    if (failure.status === 'server_side_error') throw new Error(failure.error);
    return { ok: false, ...failure };
  };
}

/** Answers what is asked as the fates say; otherwise time passes. */
export function operatorOf(generated: GeneratedPlaybook, bench: TestBench) {
  return async (order: Extract<Order, { readonly do: 'wait' }>, { execution, walk }: Place) => {
    const command = (await bench.stores.manual.list()).find(
      (it) => it.executionId === execution && it.walkId === walk && it.turn === order.turn,
    );
    const name = /^Question \d+ of (\S+)$/.exec(command?.command ?? '')?.[1] ?? '';
    const { does, tookMs } = generated.fates[name] ?? noFate;
    if (command === undefined || does === 'ignore') return bench.pass(order.forMs);
    if (tookMs >= command.deadlineMs - bench.clock.now()) return bench.pass(order.forMs);
    bench.pass(tookMs);
    await answerManual(bench, noOrchestrations, {
      executionId: execution,
      stepId: command.stepId,
      success: does !== 'decline',
      outArgs: { [`__${name}__`]: { value: 'done' } },
    });
  };
}

export async function storeChildren(
  bench: TestBench,
  { children }: GeneratedPlaybook,
): Promise<void> {
  for (const child of children) {
    const id = parsePlaybookId(String(child['id']));
    if (id !== undefined) await bench.stores.playbooks.add(id, child);
  }
}

/** What the stores say about everything that was executed. */
export async function playedOn(bench: TestBench, main: ExecutionId): Promise<Played> {
  const runs = await bench.stores.runs.list({ order: 'oldest-first' });
  const traces: string[][] = [];
  for (const { executionId } of runs) {
    const steps = await bench.stores.journal.steps(executionId);
    traces.push(steps.map(({ record }) => `${record.name}: ${record.status}`));
  }
  const open = await bench.stores.journal.open(main, mainWalk);
  const status = (await bench.stores.runs.get(main))?.status ?? 'missing';
  return { status, traces, variables: open?.variables ?? {} };
}
