/** What the schema validator says, in the words of a playbook author. No sentence repeats a value. */

import type { ErrorObject } from 'ajv';
import { identifierPattern } from '../ids.ts';
import { timestampPattern } from '../schema/primitives.ts';
import { stepTypes } from '../schema/step.ts';
import type { Path } from './draft.ts';
import type { RuleId } from './rules.ts';

/** Keywords that only repeat that something inside them failed. */
const echoes: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'allOf', '$ref']);

export function isEcho(keyword: string): boolean {
  return echoes.has(keyword);
}

export type Sentence = readonly [rule: RuleId, says: string];

/** The rule that was broken and the rest of the sentence; undefined for errors that only echo others. */
export function describeSchemaError(
  { keyword, params, message }: ErrorObject,
  path: Path,
): Sentence | undefined {
  switch (keyword) {
    case 'required':
      return requiredSentence(path, params['missingProperty']);
    case 'type':
      return ['property-type', `must be ${typeName(params['type'])}`];
    case 'const':
      return constSentence(path, params['allowedValue']);
    case 'enum':
      return ['property-value', `must be one of ${params['allowedValues'].join(', ')}`];
    case 'pattern':
      return patternSentence(params['pattern']);
    case 'format':
      return [
        'address',
        `must be ${addressNames[params['format']] ?? 'an address'} or hold a variable`,
      ];
    case 'minItems':
      return lengthSentence(path, params['limit']);
    case 'discriminator':
      return discriminatorSentence(params, path);
    case 'not':
      return ['unexpected-property', 'must not be there'];
    default:
      return echoes.has(keyword) ? undefined : ['property-value', message ?? 'is not allowed'];
  }
}

function requiredSentence(path: Path, missing: string): Sentence {
  if (missing === 'commands' && isStep(path)) return ['no-commands', 'has no commands'];
  if (fillable.has(missing) && isStep(path)) return ['step-incomplete', `has no ${missing} yet`];
  return ['required-property', `lacks the required property ${missing}`];
}

/** What an author of a draft leaves to whoever knows the site. */
const fillable: ReadonlySet<string> = new Set(['agent', 'condition', 'switch', 'playbook_id']);

function lengthSentence(path: Path, limit: number): Sentence {
  if (path.at(-1) === 'commands' && isStep(path.slice(0, -1))) return ['no-commands', 'is empty'];
  return ['list-too-short', `must have at least ${limit === 1 ? 'one entry' : `${limit} entries`}`];
}

function constSentence(path: Path, allowed: unknown): Sentence {
  const rule = path.length === 1 && path[0] === 'spec_version' ? 'spec-version' : 'property-value';
  return [rule, `must be ${String(allowed)}`];
}

function patternSentence(pattern: string): Sentence {
  if (pattern === identifierPattern) return ['identifier', 'must be an identifier, <type>--<uuid>'];
  if (pattern === timestampPattern) {
    return ['timestamp', 'must be a UTC time such as 2024-05-01T12:00:00.000Z'];
  }
  return ['property-value', 'does not have the required form'];
}

function discriminatorSentence(params: ErrorObject['params'], path: Path): Sentence | undefined {
  // A missing tag is reported as a required property.
  if (params['tagValue'] === undefined) return undefined;
  if (isStep(path)) return ['step-type', `must have one of the types ${stepTypes.join(', ')}`];
  return ['property-value', 'does not have a known type'];
}

const addressNames: { readonly [format: string]: string } = {
  'cacao-ipv4': 'an IPv4 address',
  'cacao-ipv6': 'an IPv6 address',
  'cacao-mac': 'a MAC address such as 00:1a:2b:3c:4d:5e',
  'cacao-vlan': 'a VLAN number from 0 to 4095',
  'cacao-url': 'an absolute http or https URL',
};

function isStep(path: Path): boolean {
  return path.length === 2 && path[0] === 'workflow';
}

function typeName(type: string | readonly string[]): string {
  const names = Array.isArray(type) ? type : [type];
  return names.map((name) => jsonTypes[name] ?? name).join(' or ');
}

const jsonTypes: { readonly [type: string]: string } = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
