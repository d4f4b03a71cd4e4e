/** What keeping everything in a file costs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '../../../core/ports/stores.ts';
import { createMemoryStores } from '../../../infra/stores/memory/create-memory-stores.ts';
import { createSqliteStores } from '../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { openProduct, type ProductOptions } from '../../support/durable-product.ts';
import { bestOf, type Part } from '../figure.ts';
import { aChain } from '../playbooks.ts';
import { msPerStep } from './steps.ts';

const STEPS = 1_000;
const RUNS = 5;

export const stores: Part = {
  name: 'stores',
  says:
    `A chain of ${STEPS.toLocaleString('en')} steps that do nothing, in process, with the stores in a ` +
    'SQLite file (synchronous=NORMAL) and in memory. The durable engine writes its SQLite file in both ' +
    `cases. Best of ${RUNS}.`,
  async run() {
    const sqlite = await withSqlite((made) => stepMs({ stores: made }));
    const memory = await stepMs({ stores: createMemoryStores() });
    return [
      { what: 'per step, SQLite store', value: sqlite, unit: 'ms' },
      { what: 'per step, memory store', value: memory, unit: 'ms' },
      { what: 'SQLite over memory', value: sqlite / memory, unit: 'x' },
    ];
  },
};

/** With stores in a file that is removed afterwards. */
export async function withSqlite<Result>(
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const made = createSqliteStores({ path: join(folder, 'store.db'), synchronous: 'normal' });
  try {
    return await work(made);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function stepMs(options: ProductOptions): Promise<number> {
  const product = await openProduct(options);
  try {
    for (let warm = 0; warm < 5; warm += 1) await product.execute(aChain(100));
    return await bestOf(RUNS, () => msPerStep(product, STEPS));
  } finally {
    await product.dispose();
  }
}
