/** Names a place of a playbook in words, for the beginning of a sentence. */

import type { Path } from './draft.ts';

const kinds: { readonly [member: string]: string } = {
  workflow: 'Step',
  playbook_variables: 'Variable',
  agent_definitions: 'Agent',
  target_definitions: 'Target',
  targets: 'Target',
  authentication_info_definitions: 'Authentication information',
  data_marking_definitions: 'Data marking',
  extension_definitions: 'Extension definition',
};

/** `The playbook`, `Step action--...`, `Property delay of step action--...`, `Entry 2 of ...`. */
export function subjectOf(path: Path): string {
  const [member, key] = path;
  if (member === undefined) return 'The playbook';
  const kind = kinds[member];
  if (path.length === 2 && kind !== undefined) return `${kind} ${shorten(key)}`;
  const last = path.at(-1);
  const owner = subjectOf(path.slice(0, -1));
  const of = owner.charAt(0).toLowerCase() + owner.slice(1);
  return typeof last === 'number'
    ? `Entry ${last + 1} of ${of}`
    : `Property ${shorten(last)} of ${of}`;
}

function shorten(part: string | number | undefined): string {
  const text = String(part);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
