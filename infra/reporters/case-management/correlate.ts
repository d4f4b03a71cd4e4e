/**
 * Finds the case an execution belongs to before it begins: one that knows an address of the playbook's
 * variables, else a new one. The execution gets the id of the case as a variable.
 */

import type { Variables } from '../../../core/cacao/playbook.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { RunPreparation, StartingRun } from '../../../core/ports/run-preparation.ts';
import type { CaseApi, Observable } from './case-api.ts';
import { caseContent } from './case-texts.ts';

export type CorrelationParts = {
  readonly api: CaseApi;
  readonly log: Log;
  /** An execution begins without a case rather than later than this. Default 8,000. */
  readonly timeoutMs?: number;
};

export const caseVariable = '__SVC_CASE_ID__';

export function correlatedCase(variables: Variables): string | undefined {
  return variables[caseVariable]?.value || undefined;
}

export function createCorrelation({
  api,
  log,
  timeoutMs = 8_000,
}: CorrelationParts): RunPreparation {
  const recent = new Map<string, Promise<string | undefined>>();

  async function find(starting: StartingRun): Promise<string | undefined> {
    const { playbook } = starting;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const observables = observablesOf(starting.variables);
      const caseId =
        (await knownCase(observables, signal)) ??
        (await api.openCase(
          caseContent(playbook, [playbook.id, ...(playbook.labels ?? [])], (text) => text),
          signal,
        ));
      await observeAll(caseId, observables, signal);
      return caseId;
    } catch (error) {
      log.warning('case-management.uncorrelated', { playbookId: playbook.id, error });
      return undefined;
    }
  }

  async function knownCase(observables: readonly Observable[], signal: AbortSignal) {
    for (const { value } of observables) {
      const found = await api.caseWithObservable(value, signal);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The case is there; an observable it refuses, one it has already for example, changes nothing. */
  async function observeAll(
    caseId: string,
    observables: readonly Observable[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const observable of observables) {
      await api.observe(caseId, observable, signal).catch((error: unknown) => {
        log.info('case-management.observable-refused', { caseId, error });
      });
    }
  }

  return async (starting) => {
    const { idempotencyKey: key, variables } = starting;
    const finding = (key === undefined ? undefined : recent.get(key)) ?? find(starting);
    if (key !== undefined) remember(recent, key, finding);
    const value = await finding;
    if (value === undefined) return variables;
    return { ...variables, [caseVariable]: { type: 'string', value, constant: true } };
  };
}

const MOST_KEYS = 200;

/** A repeated trigger must not open a second case. */
function remember<Value>(recent: Map<string, Value>, key: string, value: Value): void {
  recent.set(key, value);
  const oldest = recent.keys().next().value;
  if (recent.size > MOST_KEYS && oldest !== undefined) recent.delete(oldest);
}

/** Empty values would match any case. */
function observablesOf(variables: Variables): readonly Observable[] {
  return Object.values(variables).flatMap(({ type, value, description = '' }) => {
    const data = value?.trim() ?? '';
    const dataType = type === 'ipv4-addr' ? 'ip' : type === 'mac-addr' ? 'other' : undefined;
    if (dataType === undefined || data === '') return [];
    return [{ dataType, value: data, message: description } as const];
  });
}
