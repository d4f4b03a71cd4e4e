/**
 * Agents and targets (CACAO 2.0, section 7). The prefix of the definition's key decides what is required;
 * the type itself is an open vocabulary.
 */

import { type Static, type TSchema, Type } from 'typebox';
import { type AuthenticationInfoId, uuidPattern } from '../ids.ts';
import { component, identifier, mapOf, opaque, text, texts } from './primitives.ts';

/** CACAO 2.0, civic-location; GPS coordinates are part of it. */
export const civicLocation = Type.Object({
  name: Type.Optional(text),
  description: Type.Optional(text),
  building_details: Type.Optional(text),
  network_details: Type.Optional(text),
  region: Type.Optional(text),
  country: Type.Optional(text),
  administrative_area: Type.Optional(text),
  city: Type.Optional(text),
  street_address: Type.Optional(text),
  postal_code: Type.Optional(text),
  latitude: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'] })),
  longitude: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'] })),
  precision: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'] })),
});

/** CACAO 2.0, contact. */
export const contact = Type.Object({
  email: Type.Optional(mapOf(text)),
  phone: Type.Optional(mapOf(text)),
  contact_details: Type.Optional(text),
});

/** Addresses by kind; a text holding a variable (`__name__:value`) passes every check. */
export const address = Type.Object({
  dname: Type.Optional(texts),
  ipv4: Type.Optional(Type.Array(Type.String({ format: 'cacao-ipv4' }))),
  ipv6: Type.Optional(Type.Array(Type.String({ format: 'cacao-ipv6' }))),
  l2mac: Type.Optional(Type.Array(Type.String({ format: 'cacao-mac' }))),
  vlan: Type.Optional(
    Type.Array(
      Type.Unsafe<string | number>({
        type: ['integer', 'string'],
        minimum: 0,
        maximum: 4095,
        format: 'cacao-vlan',
      }),
    ),
  ),
  url: Type.Optional(Type.Array(Type.String({ format: 'cacao-url' }))),
});

export const agentTarget = Type.Object({
  type: text,
  name: text,
  description: Type.Optional(text),
  location: Type.Optional(component('CivicLocation', civicLocation)),
  contact: Type.Optional(component('Contact', contact)),
  agent_target_extensions: Type.Optional(opaque),
  logical: Type.Optional(texts),
  sector: Type.Optional(text),
  category: Type.Optional(texts),
  address: Type.Optional(component('Address', address)),
  port: Type.Optional(text),
  authentication_info: Type.Optional(
    identifier<AuthenticationInfoId>('A key of authentication_info_definitions'),
  ),
});

const anyAgentTarget = component('AgentTarget', agentTarget);

/** What each known kind of agent or target needs beside type and name. */
const kinds: { readonly [kind: string]: TSchema } = {
  group: {},
  individual: {},
  organization: {},
  location: {},
  sector: { required: ['sector'] },
  'security-category': { required: ['category'], properties: { category: { minItems: 1 } } },
  'net-address': { required: ['address'] },
  linux: { required: ['address'] },
  ssh: { required: ['address'] },
  'http-api': { required: ['address'] },
};

export const agentTargets = Type.Unsafe<{ [id: string]: Static<typeof agentTarget> }>({
  type: 'object',
  additionalProperties: anyAgentTarget,
  patternProperties: Object.fromEntries(
    Object.entries(kinds).map(([kind, needs]) => [
      `^${kind}--${uuidPattern}$`,
      { allOf: [anyAgentTarget, { properties: { type: { const: kind } } }, needs] },
    ]),
  ),
});
