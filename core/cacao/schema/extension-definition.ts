/** Definitions of extensions (CACAO 2.0, section 8). Their content is opaque to the service. */

import { Type } from 'typebox';
import type { ObjectId } from '../ids.ts';
import { externalReferences, identifier, text } from './primitives.ts';

export const extensionDefinition = Type.Object({
  type: Type.Literal('extension-definition'),
  name: text,
  description: Type.Optional(text),
  created_by: identifier<ObjectId>('The identity that created the extension'),
  schema: text,
  version: text,
  external_references: Type.Optional(externalReferences),
});
