/** Variables: well named, not hidden by accident, and declared or returned wherever a text uses them. */

import { possibleNames } from '../interpolate.ts';
import { isVariableName } from '../variables.ts';
import {
  allTexts,
  commandsIn,
  type Draft,
  isJsonObject,
  memberOf,
  membersOf,
  objectsIn,
  type Path,
  type Placed,
  textOf,
  textsIn,
} from './draft.ts';
import { knownVariables } from './known-variables.ts';
import type { ValidationOptions } from './options.ts';
import type { Report } from './report.ts';

export function checkVariables(draft: Draft, options: ValidationOptions, report: Report): void {
  checkNames(draft.root['playbook_variables'], ['playbook_variables'], report);
  for (const step of draft.steps.values()) {
    const path = [...step.path, 'step_variables'];
    checkNames(step.json['step_variables'], path, report);
    for (const [name] of membersOf(step.json['step_variables'])) {
      if (memberOf(draft.root['playbook_variables'], name) === undefined) continue;
      const message = `Variable ${shorten(name)} of step ${step.id} hides the playbook variable of that name.`;
      report('variable-hidden', [...path, name], message);
    }
  }
  checkUses(draft, options, report);
}

function checkNames(variables: unknown, path: Path, report: Report): void {
  for (const [key, variable] of membersOf(variables)) {
    if (!isVariableName(key)) {
      const message = `Variable ${shorten(key)} can never be used: its name is not of the form __name__.`;
      report('variable-name', [...path, key], message);
    }
    const name = isJsonObject(variable) ? textOf(variable['name']) : undefined;
    if (name !== undefined && name !== key) {
      const message = `Variable ${shorten(key)} calls itself ${shorten(name)}; only the key counts.`;
      report('variable-renamed', [...path, key, 'name'], message);
    }
  }
}

function checkUses(draft: Draft, options: ValidationOptions, report: Report): void {
  const { names, complete } = knownVariables(draft, options);
  if (!complete) return;
  for (const { value, path } of interpolatedTexts(draft)) {
    for (const candidates of possibleNames(value)) {
      const [name] = candidates;
      if (name === undefined || candidates.some((candidate) => names.has(candidate))) continue;
      const message = `Variable ${shorten(name)} is neither declared nor returned by any step.`;
      report('undefined-variable', path, message);
    }
  }
}

const definitions = [
  'agent_definitions',
  'target_definitions',
  'targets',
  'authentication_info_definitions',
];

/** Every text in which variables are replaced at run time. */
function interpolatedTexts({ root, steps }: Draft): readonly Placed<string>[] {
  return [
    ...[...steps.values()].flatMap((step) => [
      ...commandsIn(step).flatMap(({ value, path }) => [
        ...['command', 'content', 'port'].flatMap((member) => textsIn(value, member, path)),
        ...allTexts(value['headers'], [...path, 'headers']),
      ]),
      ...textsIn(step.json, 'condition', step.path),
      ...textsIn(step.json, 'switch', step.path),
    ]),
    ...definitions.flatMap((member) =>
      objectsIn(root, member, []).flatMap(({ value, path }) => allTexts(value, path)),
    ),
  ];
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
