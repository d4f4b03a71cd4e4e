/**
 * What a finished operation means: success when it finished and every link of it ended well. The values are
 * handed out on failure too, for the report.
 */

import type { CommandOutcome } from '../../../core/ports/capability.ts';
import { describeStatus, type Link } from './link-result.ts';

export const RESULT = '__svc_caldera_cmd_result__';

export type OperationResult = {
  readonly state: string;
  readonly group: string;
  readonly links: readonly Link[];
};

export function outcomeOf({ state, group, links }: OperationResult): CommandOutcome {
  const values = valuesOf(links);
  const fail = (error: string): CommandOutcome => ({ ok: false, status: 'failed', error, values });
  if (links.length === 0) return fail(`No agent of group ${group} ran the ability.`);
  const troubled = links.filter(({ status }) => status !== 0);
  if (troubled.length > 0) {
    const sentences = troubled.map(({ paw, status }) => `agent ${paw} ${describeStatus(status)}`);
    return fail(`The operation had errors: ${sentences.join(', ')}.`);
  }
  return state === 'finished' ? { ok: true, values } : fail(`The operation ended as ${state}.`);
}

/** Every fact under its own name and under that of its agent; of two with one name the later wins. */
function valuesOf(links: readonly Link[]): { readonly [name: string]: string } {
  const facts = links.flatMap(({ paw, facts }) => facts.map((fact) => ({ paw, ...fact })));
  const told = links.map(({ paw, status, output = '', facts }) => ({ paw, status, output, facts }));
  return Object.fromEntries([
    ...facts.map(({ name, value }) => [`__${name}__`, value]),
    ...facts.map(({ paw, name, value }) => [`__${paw}-${name}__`, value]),
    [RESULT, JSON.stringify(told)],
  ]);
}
