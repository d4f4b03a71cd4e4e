/** What a playbook defines, whichever of the accepted spellings it uses. */

import type {
  Agent,
  AgentTarget,
  AuthenticationInfo,
  Command,
  Playbook,
  WorkflowStep,
} from './model.ts';

type Definitions<Entry> = { readonly [id: string]: Entry };

const nothing = {};

export function agentDefinitions(playbook: Playbook): Definitions<Agent> {
  return playbook.agent_definitions ?? nothing;
}

/** `target_definitions`, and `targets` of older playbooks beneath it. */
export function targetDefinitions(playbook: Playbook): Definitions<AgentTarget> {
  if (playbook.targets === undefined) return playbook.target_definitions ?? nothing;
  return { ...playbook.targets, ...playbook.target_definitions };
}

export function authenticationDefinitions(playbook: Playbook): Definitions<AuthenticationInfo> {
  return playbook.authentication_info_definitions ?? nothing;
}

/** The commands of a step in order; none for steps that only steer. */
export function commandsOf(step: WorkflowStep): readonly Command[] {
  if (step.type === 'action') return step.commands;
  if (step.type !== 'single') return [];
  return step.commands ?? (step.command === undefined ? [] : [step.command]);
}

/** The entry under `id`; undefined also for names inherited from the language. */
export function definitionOf<Entry>(
  definitions: Definitions<Entry>,
  id: string,
): Entry | undefined {
  return Object.hasOwn(definitions, id) ? definitions[id] : undefined;
}
