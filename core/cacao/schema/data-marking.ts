/** Data markings (CACAO 2.0, section 9): free statement, FIRST TLP 2, FIRST IEP 2. */

import { type Static, type TSchema, Type } from 'typebox';
import type { ObjectId } from '../ids.ts';
import {
  externalReferences,
  flag,
  identifier,
  opaque,
  text,
  texts,
  timestamp,
} from './primitives.ts';

const common = {
  id: identifier<ObjectId>('Names the marking'),
  created_by: identifier<ObjectId>('The identity that created the marking'),
  created: timestamp,
  description: Type.Optional(text),
  revoked: Type.Optional(flag),
  valid_from: Type.Optional(timestamp),
  valid_until: Type.Optional(timestamp),
  labels: Type.Optional(texts),
  marking_extensions: Type.Optional(opaque),
};

const statement = Type.Object({
  type: Type.Literal('marking-statement'),
  ...common,
  name: Type.Optional(text),
  external_references: Type.Optional(externalReferences),
  statement: text,
});

const tlp = Type.Object({
  type: Type.Literal('marking-tlp'),
  ...common,
  name: Type.Optional(text),
  external_references: Type.Optional(externalReferences),
  tlpv2_level: Type.Unsafe<string>({
    type: 'string',
    enum: ['TLP:RED', 'TLP:AMBER', 'TLP:AMBER+STRICT', 'TLP:GREEN', 'TLP:CLEAR'],
  }),
});

const iep = Type.Object({
  type: Type.Literal('marking-iep'),
  ...common,
  name: text,
  description: text,
  tlp: text,
  iep_version: Type.Number(),
  start_date: timestamp,
  end_date: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  encrypt_in_transit: text,
  permitted_actions: text,
  affected_party_notifications: text,
  attribution: text,
  unmodified_resale: text,
  external_references: texts,
});

const markings = [statement, tlp, iep] as const satisfies readonly TSchema[];

export const dataMarking = Type.Unsafe<Static<(typeof markings)[number]>>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [...markings],
});
