/** Entries of the step catalogue (spec, Step catalogue) for the capabilities that brought an example. */

import type { JsonObject } from '../json.ts';
import type { Fins } from './fin.ts';

export function finCatalogue(fins: Fins): readonly JsonObject[] {
  return fins
    .filter(({ state }) => state !== 'stopped')
    .flatMap(({ capabilities }) => capabilities)
    .filter(({ examples }) => Object.keys(examples).length > 0)
    .map(({ name, examples }) => ({
      // An example may have any key; those of the entry itself win.
      ...examples,
      module: name,
      category: 'action',
      context: 'external',
    }));
}
