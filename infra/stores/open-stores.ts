/** Opens the store the configuration names. */

import type { StoreConfig } from '../../core/config/config.ts';
import type { Stores } from '../../core/ports/stores.ts';

export async function openStores(config: StoreConfig): Promise<Stores> {
  switch (config.kind) {
    case 'sqlite': {
      const { createSqliteStores } = await import('./sqlite/create-sqlite-stores.ts');
      return createSqliteStores({
        path: `${config.directory}/theobroma.db`,
        synchronous: 'normal',
      });
    }
    case 'mongo':
    case 'cosmos':
      throw new Error(`The ${config.kind} store is not part of this build.`);
  }
}
