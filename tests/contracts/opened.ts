/** How contract suites get their stores, and who closes them. */

import { onTestFinished } from 'vitest';
import type { Stores } from '../../core/ports/stores.ts';
import { aNewRun } from './builders.ts';

/** Makes the stores of one adapter over an empty database of their own. */
export type CreateStores = () => Promise<Stores>;

/** Stores that are closed when the test is over. */
export async function opened(create: CreateStores): Promise<Stores> {
  const stores = await create();
  onTestFinished(() => stores.close());
  return stores;
}

/** With run 1 just created. */
export async function begun(create: CreateStores): Promise<Stores> {
  const stores = await opened(create);
  await stores.runs.create(aNewRun(1));
  return stores;
}
