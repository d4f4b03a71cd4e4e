/** What keeping everything in a file costs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '../../../core/ports/stores.ts';
import { createMemoryStores } from '../../../infra/stores/memory/create-memory-stores.ts';
import { createMongoStores } from '../../../infra/stores/mongo/create-mongo-stores.ts';
import { createSqliteStores } from '../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { skipFerretdb, startFerretdb } from '../../peers/ferretdb/start-ferretdb.ts';
import { openProduct, type ProductOptions } from '../../support/durable-product.ts';
import { bestOf, type Figure, type Part } from '../figure.ts';
import { aChain } from '../playbooks.ts';
import { msPerStep } from './steps.ts';

const STEPS = 1_000;
const ROUNDS = 3;
const MONGO_STEPS = 100;

export const stores: Part = {
  name: 'stores',
  says:
    `A chain of ${STEPS.toLocaleString('en')} steps that do nothing, in process, with the stores in a ` +
    'SQLite file (synchronous=NORMAL) and in memory. The durable engine writes its SQLite file in both ' +
    `cases. In turns, best of ${ROUNDS} rounds.`,
  async run() {
    const [sqlite, memory] = await inTurns(
      () => withSqlite((made) => stepMs({ stores: made })),
      () => stepMs({ stores: createMemoryStores() }),
    );
    return [
      { what: 'per step, SQLite store', value: sqlite, unit: 'ms' },
      { what: 'per step, memory store', value: memory, unit: 'ms' },
      { what: 'SQLite over memory', value: sqlite / memory, unit: 'x' },
      ...(skipFerretdb ? [] : await mongoFigures(memory)),
    ];
  },
};

/** FerretDB scans a collection for every change, so this tells of the driver and the design, not of Cosmos DB. */
async function mongoFigures(memory: number): Promise<readonly Figure[]> {
  const server = await startFerretdb();
  const made = await createMongoStores({
    uri: server.uri,
    database: 'bench',
    credentials: undefined,
  });
  const product = await openProduct({ stores: made });
  try {
    await product.execute(aChain(MONGO_STEPS));
    const mongo = await msPerStep(product, MONGO_STEPS);
    return [
      { what: 'per step, Mongo store (FerretDB)', value: mongo, unit: 'ms' },
      { what: 'Mongo over memory', value: mongo / memory, unit: 'x' },
    ];
  } finally {
    await product.dispose();
    await made.close();
    await server.stop();
  }
}

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

/** Round by round, so that neither profits from a warmer process or a calmer machine. */
export async function inTurns(
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<readonly [number, number]> {
  let best: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    best = [Math.min(best[0], await one()), Math.min(best[1], await other())];
  }
  return best;
}

export async function stepMs(options: ProductOptions): Promise<number> {
  const product = await openProduct(options);
  try {
    for (let warm = 0; warm < 5; warm += 1) await product.execute(aChain(100));
    return await bestOf(2, () => msPerStep(product, STEPS));
  } finally {
    await product.dispose();
  }
}
