/** Which variable names can have a value when a playbook runs, as far as the document tells. */

import { capabilityOf } from './check-actions.ts';
import { argumentsIn, type Draft, type DraftStep, membersOf } from './draft.ts';
import type { ValidationOptions } from './options.ts';

export type KnownVariables = {
  readonly names: ReadonlySet<string>;
  /** False when a step may return variables nobody can foresee: a called playbook, a fin, Caldera facts. */
  readonly complete: boolean;
};

/** What the native capabilities return, by the word after `__svc_<capability>_`. */
const results = ['result', 'error', 'status', 'headers'];

export function knownVariables(draft: Draft, options: ValidationOptions): KnownVariables {
  const names = new Set<string>(membersOf(draft.root['playbook_variables']).map(([name]) => name));
  for (const capability of options.knownCapabilities) {
    for (const prefix of options.agentPrefixes) {
      const stem = `__${prefix}_${capability.replaceAll('-', '_')}`;
      for (const result of results) names.add(`${stem}_${result}__`);
    }
  }
  let complete = true;
  for (const step of draft.steps.values()) {
    for (const [name] of membersOf(step.json['step_variables'])) names.add(name);
    const outArgs = argumentsIn(step, 'out_args');
    for (const name of outArgs) names.add(name);
    if (outArgs.length === 0 && isUnforeseeable(draft, step, options)) complete = false;
  }
  return { names, complete };
}

function isUnforeseeable(draft: Draft, step: DraftStep, options: ValidationOptions): boolean {
  if (step.type === 'playbook-action') return true;
  if (step.type !== 'action' && step.type !== 'single') return false;
  const capability = capabilityOf(draft, step, options);
  return capability === undefined || capability === 'caldera-cmd';
}
