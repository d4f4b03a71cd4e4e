/** Opens the store the configuration names. Only its own driver is loaded. */

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
    case 'mongo': {
      const { createMongoStores } = await import('./mongo/create-mongo-stores.ts');
      return createMongoStores(config);
    }
    case 'cosmos': {
      const { createCosmosStores } = await import('./cosmos/create-cosmos-stores.ts');
      return createCosmosStores(config);
    }
  }
}
