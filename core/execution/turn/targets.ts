/** The targets of a step with the credentials that belong to them, variables inserted. */

import {
  authenticationDefinitions,
  definitionOf,
  targetDefinitions,
} from '../../cacao/definitions.ts';
import type { Lookup } from '../../cacao/interpolate.ts';
import type { Agent, Playbook, WorkflowStep } from '../../cacao/playbook.ts';
import type { Invocation } from '../../ports/capability.ts';
import { bindAuthentication, bindTarget, type Unusable } from './bind.ts';

export type BoundTarget = Pick<
  Invocation,
  'agent' | 'target' | 'targetId' | 'authentication' | 'authenticationId'
>;

type Action = Extract<WorkflowStep, { readonly type: 'action' | 'single' }>;

/** One entry per target; a single one without target where the capability needs none. */
export function boundTargets(
  playbook: Playbook,
  step: Action,
  agentDefinition: Agent,
  lookup: Lookup,
  targetless: boolean,
): readonly BoundTarget[] | Unusable {
  const agent = bindTarget(agentDefinition, lookup);
  const ids = step.targets ?? [];
  if (ids.length === 0) {
    if (!targetless) return { unusable: 'The step has no target.' };
    const own = credentials(playbook, agentDefinition.authentication_info, lookup);
    return isMissing(own) ? own : [{ agent, ...own }];
  }
  const bound: BoundTarget[] = [];
  for (const targetId of ids) {
    const definition = definitionOf(targetDefinitions(playbook), targetId);
    if (definition === undefined) return { unusable: `There is no target ${targetId}.` };
    // The target's credentials come first, then the agent's.
    const chosen = definition.authentication_info ?? agentDefinition.authentication_info;
    const own = credentials(playbook, chosen, lookup);
    if (isMissing(own)) return own;
    bound.push({ agent, target: bindTarget(definition, lookup), targetId, ...own });
  }
  return bound;
}

type Credentials = Pick<Invocation, 'authentication' | 'authenticationId'>;

function credentials(
  playbook: Playbook,
  id: string | undefined,
  lookup: Lookup,
): Credentials | Unusable {
  if (id === undefined || id === '') return {};
  const definition = definitionOf(authenticationDefinitions(playbook), id);
  if (definition === undefined)
    return { unusable: `There is no authentication information ${id}.` };
  return { authentication: bindAuthentication(definition, lookup), authenticationId: id };
}

function isMissing(value: Credentials | Unusable): value is Unusable {
  return 'unusable' in value;
}
