/** Variables (CACAO 2.0, variable data type). Every value is text, whatever the declared type. */

import { type Static, Type } from 'typebox';
import { component, flag, text } from './primitives.ts';
import { variableNamePattern } from './variable-name.ts';

/** The vocabulary of the standard; other types are accepted and compare as text. */
export const variableTypes = [
  'bool',
  'dictionary',
  'float',
  'hash',
  'hexstring',
  'integer',
  'ipv4-addr',
  'ipv6-addr',
  'long',
  'mac-addr',
  'md5-hash',
  'sha256-hash',
  'string',
  'uri',
  'uuid',
] as const;

export const variable = Type.Object({
  type: Type.String({ description: `Open vocabulary: ${variableTypes.join(', ')}` }),
  name: Type.Optional(text),
  description: Type.Optional(text),
  value: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  constant: Type.Optional(flag),
  external: Type.Optional(flag),
});

/** Entries under other names are never addressed by any text and stay unchecked. */
export const variables = Type.Unsafe<{ [name: string]: Static<typeof variable> }>({
  type: 'object',
  patternProperties: { [variableNamePattern]: component('Variable', variable) },
});
