/** The static types of a playbook, derived from its schema. Read-only: a stored playbook never changes. */

import type { Static } from 'typebox';
import type { agentTarget } from './schema/agent-target.ts';
import type { authenticationInfo } from './schema/authentication-info.ts';
import type { command } from './schema/command.ts';
import type { playbook } from './schema/playbook.ts';
import type { workflowStep } from './schema/step.ts';
import type { variable } from './schema/variable.ts';

type DeepReadonly<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** A playbook that passed the schema: references and flow still need `validatePlaybook`. */
export type Playbook = DeepReadonly<Static<typeof playbook>>;

/** One step, told apart by `type`. */
export type WorkflowStep = DeepReadonly<Static<typeof workflowStep>>;

export type Variable = DeepReadonly<Static<typeof variable>>;
export type Variables = { readonly [name: string]: Variable };

export type Command = DeepReadonly<Static<typeof command>>;
export type AgentTarget = DeepReadonly<Static<typeof agentTarget>>;
/** An entry of agent_definitions; the same shape as a target. */
export type Agent = AgentTarget;
export type AuthenticationInfo = DeepReadonly<Static<typeof authenticationInfo>>;
