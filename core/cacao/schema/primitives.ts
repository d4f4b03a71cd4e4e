/** The small shapes every CACAO object is made of (CACAO 2.0, data types). */

import { type Static, type TSchema, Type } from 'typebox';
import { identifierPattern } from '../ids.ts';

/** A reference to another object, branded with what it points at. */
export function identifier<Id extends string>(description: string) {
  return Type.Unsafe<Id>({ type: 'string', pattern: identifierPattern, description });
}

/** A shared schema under its name in `cacaoComponents`; the reference also fits an OpenAPI document. */
export function component<Schema extends TSchema>(name: string, _schema: Schema) {
  return Type.Unsafe<Static<Schema>>({ $ref: `#/components/schemas/${name}` });
}

/** RFC 3339 in UTC with `Z`; any number of fraction digits. */
export const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$';
export const timestamp = Type.String({
  pattern: timestampPattern,
  description: 'UTC time such as 2024-05-01T12:00:00.000Z',
});

/** A map with free keys. */
export function mapOf<Entry extends TSchema>(entry: Entry, description?: string) {
  return Type.Unsafe<{ [key: string]: Static<Entry> }>({
    type: 'object',
    additionalProperties: entry,
    ...(description === undefined ? {} : { description }),
  });
}

/** A property that must not be there. */
export const absent = Type.Unsafe<never>({ not: {} });

export const text = Type.String();
export const flag = Type.Boolean();
export const texts = Type.Array(Type.String());

/** A JSON object whose members are not looked at: extensions. */
export const opaque = Type.Unsafe<{ [key: string]: unknown }>({ type: 'object' });

/** CACAO 2.0, external-reference. */
export const externalReference = Type.Object({
  name: text,
  description: Type.Optional(text),
  source: Type.Optional(text),
  url: Type.Optional(text),
  hash: Type.Optional(text),
  external_id: Type.Optional(text),
  reference_id: Type.Optional(text),
});

export const externalReferences = Type.Array(component('ExternalReference', externalReference));
