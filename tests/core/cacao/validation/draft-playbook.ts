/** Small playbooks for the validator's tests: sound unless a test breaks them. */

import { nativeCapabilities } from '../../../../core/cacao/resolve-capability.ts';
import type { ValidationOptions } from '../../../../core/cacao/validation/options.ts';
import { validatePlaybook } from '../../../../core/cacao/validation/validate-playbook.ts';

export type Members = { readonly [name: string]: unknown };

export const options: ValidationOptions = {
  knownCapabilities: new Set(nativeCapabilities),
  agentPrefixes: ['svc', 'soarca'],
};

export function id(type: string, number = 1): string {
  return `${type}--00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export const start = id('start');
export const end = id('end');
export const agent = id('svc');
export const target = id('linux');

/** An ssh action with an agent and a target. */
export function action(members: Members = {}): Members {
  return {
    type: 'action',
    agent,
    targets: [target],
    commands: [{ type: 'ssh', command: 'uptime' }],
    on_completion: end,
    ...members,
  };
}

/** `start` and `end` are there already; start leads to the first step given. */
export function playbook(steps: Members, members: Members = {}): Members {
  return {
    type: 'playbook',
    spec_version: 'cacao-2.0',
    id: id('playbook'),
    name: 'Test',
    created_by: id('identity'),
    created: '2024-05-01T12:00:00.000Z',
    modified: '2024-05-01T12:00:00Z',
    workflow_start: start,
    workflow_exception: end,
    workflow: {
      [start]: { type: 'start', on_completion: Object.keys(steps)[0] ?? end },
      ...steps,
      [end]: { type: 'end' },
    },
    agent_definitions: { [agent]: { type: 'svc', name: 'svc-ssh' } },
    target_definitions: {
      [target]: { type: 'linux', name: 'web', address: { ipv4: ['10.0.0.1'] } },
    },
    ...members,
  };
}

/** What the validator says, as `rule pointer: message`. */
export function findingsOf(json: unknown, given: ValidationOptions = options): readonly string[] {
  const { findings } = validatePlaybook(json, given);
  return findings.map(({ rule, pointer, message }) => `${rule} ${pointer}: ${message}`);
}

/** Rule and pointer only. */
export function rulesOf(json: unknown, given: ValidationOptions = options): readonly string[] {
  return validatePlaybook(json, given).findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
}
