/**
 * Runs one ability on one group of agents: ability, adversary, operation, wait, results, clean-up.
 *
 * O1  What was created for the command, ability and adversary, is deleted whatever happens.
 * O2  An operation that is not over when we stop waiting for it is told to finish.
 */

import type { AbilityAsked } from './ability.ts';
import type { CalderaApi } from './caldera-api.ts';
import { CalderaFailure } from './caldera-failure.ts';
import type { OperationResult } from './caldera-outcome.ts';
import { textMember } from './json-shape.ts';
import { type Link, readLink, readResult } from './link-result.ts';

export type OperationAsked = {
  /** Of ability, adversary and operation. */
  readonly name: string;
  readonly group: string;
  readonly ability: Exclude<AbilityAsked, { kind: 'unusable' }>;
};

export type OperationOptions = {
  readonly pollIntervalMs: number;
  /** Rejects when the signal is aborted. */
  readonly sleep: (forMs: number, signal: AbortSignal) => Promise<void>;
  /** Time given to the clean-up, after which it is abandoned. */
  readonly cleanupTimeoutMs: number;
  readonly signal: AbortSignal;
};

type Undo = (signal: AbortSignal) => Promise<unknown>;

const overStates: readonly string[] = ['finished', 'out_of_time'];
const MAX_POLLS_LOST = 5;

/** Throws CalderaFailure, or the signal's reason once that is aborted. */
export async function runOperation(
  api: CalderaApi,
  asked: OperationAsked,
  options: OperationOptions,
): Promise<OperationResult> {
  const { signal } = options;
  const { name, group, ability } = asked;
  const undo: Undo[] = [];
  try {
    const abilityId =
      ability.kind === 'existing'
        ? ability.abilityId
        : await createAbility(api, asked, undo, signal);
    const adversaryId = await create(api, '/adversaries', 'adversary_id', signal, {
      name,
      atomic_ordering: [abilityId],
    });
    undo.push((late) =>
      api.call('DELETE', `/adversaries/${encodeURIComponent(adversaryId)}`, late),
    );
    const operationId = await create(api, '/operations', 'id', signal, {
      name,
      group,
      adversary: { adversary_id: adversaryId, atomic_ordering: [] },
      autonomous: 1,
      auto_close: true,
    });
    const path = `/operations/${encodeURIComponent(operationId)}`;
    const stop: Undo = (late) => api.call('PATCH', path, late, { state: 'finished' });
    undo.push(stop);
    const state = await waitForEnd(api, path, options);
    undo.splice(undo.indexOf(stop), 1);
    return { state, group, links: await readLinks(api, path, signal) };
  } finally {
    await undoAll(undo, options.cleanupTimeoutMs);
  }
}

async function createAbility(
  api: CalderaApi,
  { name, ability }: OperationAsked,
  undo: Undo[],
  signal: AbortSignal,
): Promise<string> {
  const definition = ability.kind === 'definition' ? ability.definition : {};
  const id = await create(api, '/abilities', 'ability_id', signal, { ...definition, name });
  undo.push((late) => api.call('DELETE', `/abilities/${encodeURIComponent(id)}`, late));
  return id;
}

async function create(
  api: CalderaApi,
  path: string,
  idKey: string,
  signal: AbortSignal,
  body: object,
): Promise<string> {
  const id = textMember(await api.call('POST', path, signal, body), idKey);
  if (id === undefined)
    throw new CalderaFailure('failed', `Caldera answered POST ${path} without ${idKey}.`);
  return id;
}

async function waitForEnd(
  api: CalderaApi,
  path: string,
  { signal, sleep, pollIntervalMs }: OperationOptions,
): Promise<string> {
  let lost = 0;
  for (;;) {
    try {
      const state = textMember(await api.call('GET', path, signal), 'state');
      if (state === undefined)
        throw new CalderaFailure('failed', 'Caldera told no state of the operation.');
      if (overStates.includes(state)) return state;
      lost = 0;
    } catch (error) {
      lost += 1;
      const bearable = error instanceof CalderaFailure && error.transient && lost < MAX_POLLS_LOST;
      if (!bearable) throw error;
    }
    await sleep(pollIntervalMs, signal);
  }
}

async function readLinks(
  api: CalderaApi,
  path: string,
  signal: AbortSignal,
): Promise<readonly Link[]> {
  const list = await api.call('GET', `${path}/links`, signal);
  if (!Array.isArray(list))
    throw new CalderaFailure('failed', 'Caldera answered no list of links.');
  const links: Link[] = [];
  for (const entry of list) {
    const link = readLink(entry);
    if (link === undefined)
      throw new CalderaFailure('failed', 'Caldera answered a link without status.');
    links.push(link.output === undefined ? await withResult(api, path, link, signal) : link);
  }
  return links;
}

/** Older servers know no results of links; a link without output is then left as it is. */
async function withResult(
  api: CalderaApi,
  path: string,
  link: Link,
  signal: AbortSignal,
): Promise<Link> {
  if (link.id === undefined || link.status < 0) return link;
  try {
    const result = await api.call(
      'GET',
      `${path}/links/${encodeURIComponent(link.id)}/result`,
      signal,
    );
    return { ...link, output: readResult(result) };
  } catch (error) {
    if (error instanceof CalderaFailure) return link;
    throw error;
  }
}

async function undoAll(undo: readonly Undo[], timeoutMs: number): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  for (const step of undo.toReversed()) {
    try {
      await step(signal);
    } catch {
      // The outcome is known already; what is left over on the server carries the execution's name.
    }
  }
}
