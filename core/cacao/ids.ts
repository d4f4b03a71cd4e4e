/**
 * CACAO identifiers, branded so that a step id cannot be passed where a playbook id is meant.
 * An identifier is `<type>--<uuid>` (CACAO 2.0, identifier data type); any UUID version is accepted.
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Names a playbook, `playbook--<uuid>`. */
export type PlaybookId = Branded<'PlaybookId'>;
/** Names a step of a workflow: a key of the playbook's `workflow`. */
export type StepId = Branded<'StepId'>;
/** Names an agent or a target: a key of `agent_definitions` or `target_definitions`. */
export type AgentTargetId = Branded<'AgentTargetId'>;
/** Names a key of `authentication_info_definitions`. */
export type AuthenticationInfoId = Branded<'AuthenticationInfoId'>;
/** Names an identity, a marking, an extension or any other object a playbook points at. */
export type ObjectId = Branded<'ObjectId'>;

export const uuidPattern =
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
export const identifierPattern = `^[a-z][a-z0-9-]+[a-z0-9]--${uuidPattern}$`;

const identifier = new RegExp(identifierPattern, 'u');

/** Answers undefined for anything but a CACAO identifier. */
export function parsePlaybookId(text: string): PlaybookId | undefined {
  return identifier.test(text) ? (text as PlaybookId) : undefined;
}

/** Answers undefined for anything but a CACAO identifier. */
export function parseStepId(text: string): StepId | undefined {
  return identifier.test(text) ? (text as StepId) : undefined;
}

/** The key of an entry that is already part of a checked workflow. */
export function stepIdOfKey(key: string): StepId {
  return key as StepId;
}

/** The part before the double hyphen, such as `if-condition`; undefined when there is none. */
export function identifierPrefix(id: string): string | undefined {
  const end = id.lastIndexOf('--');
  return end > 0 ? id.slice(0, end) : undefined;
}
