/**
 * Playbooks for the chaos suite: every step type in an order of the seed's own, with children, questions,
 * concurrent branches and failures.
 *
 * P1  No two commands of an execution and its children have the same text, in whatever turn of a loop: a
 *     text names one piece of work.
 * P2  What comes out depends on nothing but the playbook and the answers of the target and the operator,
 *     which are functions of what they are asked.
 */

import type { JsonObject, JsonValue } from '../../core/json.ts';
import {
  action,
  aPlaybook,
  byPerson,
  end,
  playbookIdOf,
  start,
  targetIds,
} from '../support/a-playbook.ts';
import type { Random } from '../support/random.ts';

type Steps = { [name: string]: { readonly type: string; readonly [member: string]: JsonValue } };

export type ChaosPlaybook = {
  readonly name: string;
  readonly playbook: JsonObject;
  /** Called by it; stored beforehand. */
  readonly child: JsonObject;
};

/** A stretch of steps that begins at the name it is given and goes on at `next`. */
type Stretch = (at: string, next: string) => Steps;

export function aChaosPlaybook(name: string, url: string, random: Random): ChaosPlaybook {
  const childName = `${name}c`;
  const stretches = random.shuffled(stretchesOf(name, playbookIdOf(childName)));
  const fails = random.next() < 0.25;
  const steps: Steps = { first: start('p0') };
  stretches.forEach((stretch, at) => {
    const next = at + 1 < stretches.length ? `p${at + 1}` : fails ? 'fatal' : 'end';
    Object.assign(steps, stretch(`p${at}`, next));
  });
  if (fails) steps['fatal'] = work(name, 'fatal', 'end', 'fail');
  Object.assign(steps, { end, rescue: work(name, 'rescue', 'over'), over: end });
  return {
    name,
    playbook: hosted(name, url, steps, { workflow_exception: 'rescue' }),
    child: hosted(childName, url, {
      first: start('ca'),
      ca: work(childName, 'ca', 'cask'),
      cask: question(childName, 'cask', 'cb'),
      cb: work(childName, 'cb', 'end'),
      end,
    }),
  };
}

function hosted(name: string, url: string, steps: Steps, more: JsonObject = {}): JsonObject {
  return aPlaybook(name, steps, {
    playbook_variables: {
      __svc_http_api_result__: { type: 'string', value: 'none' },
      __verdict__: { type: 'string', value: 'none' },
    },
    target_definitions: {
      [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [url] } },
    },
    ...more,
  });
}

function stretchesOf(run: string, childId: string): readonly Stretch[] {
  return [
    (at, next) => ({ [at]: work(run, at, next) }),
    (at, next) => ({ [at]: work(run, at, next, 'first', 'second') }),
    (at, next) => ({ [at]: { ...work(run, at, next), delay: 150 } }),
    (at, next) => ({ [at]: question(run, at, next) }),
    // A failure that is handled.
    (at, next) => ({
      [at]: { ...work(run, at, undefined, 'fail'), on_success: next, on_failure: `${at}h` },
      [`${at}h`]: work(run, `${at}h`, next),
    }),
    // An operator who says no.
    (at, next) => {
      const { on_completion: _, ...asked } = question(run, at, next, 'decline');
      return { [at]: { ...asked, on_success: next, on_failure: next } };
    },
    (at, next) => ({
      [at]: {
        type: 'if-condition',
        condition: "__svc_http_api_result__:value != 'never'",
        on_true: `${at}t`,
        on_false: `${at}f`,
        on_completion: next,
      },
      [`${at}t`]: work(run, `${at}t`, `${at}e`),
      [`${at}f`]: work(run, `${at}f`, `${at}e`),
      [`${at}e`]: end,
    }),
    (at, next) => ({
      [at]: {
        type: 'switch-condition',
        switch: '__verdict__:value',
        cases: { none: `${at}n`, default: `${at}d` },
        on_completion: next,
      },
      [`${at}n`]: work(run, `${at}n`, `${at}e`),
      [`${at}d`]: work(run, `${at}d`, `${at}e`),
      [`${at}e`]: end,
    }),
    loop(run),
    branches(run),
    (at, next) => ({
      [at]: { type: 'playbook-action', playbook_id: childId, on_completion: next },
    }),
  ];
}

/** Three turns; the target counts them in its answers. */
const loop =
  (run: string): Stretch =>
  (at, next) => ({
    [at]: {
      type: 'while-condition',
      condition: `__svc_http_api_result__:value != '${at}-3'`,
      on_true: `${at}t`,
      on_completion: next,
    },
    [`${at}t`]: action(`${at}w`, {
      commands: [http(`/${run}/turn-of-${at}?after=__svc_http_api_result__:value`)],
      out_args: ['__svc_http_api_result__'],
    }),
    [`${at}w`]: action(`${at}q`, {
      commands: [http(`/${run}/${at}w?in=__svc_http_api_result__:value`)],
      out_args: ['__nothing__'],
    }),
    [`${at}q`]: question(run, `${at}q`, `${at}e`, 'in __svc_http_api_result__:value'),
    [`${at}e`]: end,
  });

const branches =
  (run: string): Stretch =>
  (at, next) => ({
    [at]: {
      type: 'parallel',
      next_steps: [`${at}a`, `${at}b`, `${at}c`],
      on_completion: next,
    },
    [`${at}a`]: work(run, `${at}a`, `${at}aa`),
    [`${at}aa`]: work(run, `${at}aa`, `${at}e`),
    [`${at}b`]: question(run, `${at}b`, `${at}bb`),
    [`${at}bb`]: work(run, `${at}bb`, `${at}e`),
    [`${at}c`]: { ...work(run, `${at}c`, `${at}e`), delay: 80 },
    [`${at}e`]: end,
  });

/** One command per `what`; `fail` is what the target refuses. */
function work(run: string, step: string, next: string | undefined, ...what: readonly string[]) {
  const kinds = what.length === 0 ? ['do'] : what;
  return action(next, { commands: kinds.map((kind) => http(`/${run}/${step}/${kind}`)) });
}

function question(run: string, step: string, next: string, more = '') {
  const commands = [{ type: 'manual', command: `Question ${run} ${step} ${more}`.trim() }];
  return action(next, { ...byPerson, commands, out_args: ['__verdict__'] });
}

function http(path: string) {
  return { type: 'http-api', command: `GET ${path} HTTP/1.1` };
}
