/** Variables (CACAO 2.0, variable data type). Every value is text, whatever the declared type. */

import { Type } from 'typebox';
import { component, flag, mapOf, text } from './primitives.ts';

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

/** Whatever they are called: reports show them all, and texts can address names beyond the standard's. */
export const variables = mapOf(component('Variable', variable));
