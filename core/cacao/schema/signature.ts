/** Digital signatures (CACAO 2.0, signature data type). Whether they are good is checked in core/cacao/signatures. */

import { Type } from 'typebox';
import type { ObjectId } from '../ids.ts';
import { flag, identifier, opaque, text, texts, timestamp } from './primitives.ts';

export const signature = Type.Object({
  type: Type.Optional(text),
  id: Type.Optional(identifier<ObjectId>('Names the signature')),
  created_by: Type.Optional(identifier<ObjectId>('The identity that created the signature')),
  created: Type.Optional(timestamp),
  modified: Type.Optional(timestamp),
  revoked: Type.Optional(flag),
  signee: Type.Optional(text),
  valid_from: Type.Optional(timestamp),
  valid_until: Type.Optional(timestamp),
  related_to: Type.Optional(identifier<ObjectId>('The signed playbook')),
  related_version: Type.Optional(timestamp),
  hash_algorithm: Type.Optional(text),
  algorithm: Type.Optional(text),
  public_key: Type.Optional(text),
  public_cert_chain: Type.Optional(texts),
  cert_url: Type.Optional(text),
  thumbprint: Type.Optional(text),
  value: Type.Optional(text),
  signature: Type.Optional(opaque),
});
