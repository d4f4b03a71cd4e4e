/** The list view of a stored document, taken when it is written so that lists need not load it. */

import type { PlaybookId } from '../../core/cacao/ids.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { PlaybookMeta } from '../../core/ports/playbook-store.ts';

/** Members of an unexpected type count as absent. */
export function playbookMeta(id: PlaybookId, document: JsonObject): PlaybookMeta {
  const created = textOf(document['created']);
  const validFrom = textOf(document['valid_from']);
  const validUntil = textOf(document['valid_until']);
  const labels = document['labels'];
  return {
    id,
    name: textOf(document['name']) ?? '',
    description: textOf(document['description']) ?? '',
    ...(created === undefined ? {} : { created }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
    labels: Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [],
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
