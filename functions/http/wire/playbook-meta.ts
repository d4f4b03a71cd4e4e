import { type Static, Type } from 'typebox';
import type { PlaybookMeta } from '../../../core/ports/playbook-store.ts';

/** Playbook metadata (spec, Resources). Dates the playbook does not have are left out. */
export const metaSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    created: Type.Optional(Type.String()),
    valid_from: Type.Optional(Type.String()),
    valid_until: Type.Optional(Type.String()),
    labels: Type.Array(Type.String()),
  },
  { title: 'PlaybookMeta' },
);

export function toMetaWire(meta: PlaybookMeta): Static<typeof metaSchema> {
  const { id, name, description, created, validFrom, validUntil, labels } = meta;
  return {
    id,
    name,
    description,
    ...(created === undefined ? {} : { created }),
    ...(validFrom === undefined ? {} : { valid_from: validFrom }),
    ...(validUntil === undefined ? {} : { valid_until: validUntil }),
    labels: [...labels],
  };
}
