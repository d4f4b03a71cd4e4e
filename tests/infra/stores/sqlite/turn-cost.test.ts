import { expect, test } from 'vitest';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { measureTurns, median } from './measure-turns.ts';
import { temporaryDatabase } from './temporary-database.ts';

/** Medians of a tenth each; a cost that grew with the turns would be many times higher at the end. */
const TOLERATED_GROWTH = 2.5;
const TURNS = 10_000;

test.for([
  ['a loop that repeats one step', () => 1],
  ['a run of ever new steps', (turn: number) => turn],
] as const)('the last turns of %s cost what the first ones did', async ([, stepOf]) => {
  const stores = createSqliteStores({ path: temporaryDatabase(), synchronous: 'normal' });
  await measureTurns(stores, 1, 300, () => 1);

  const costs = await measureTurns(stores, 2, TURNS, stepOf);

  const first = median(costs.slice(100, TURNS / 10));
  const last = median(costs.slice(-TURNS / 10));
  expect(last / first).toBeLessThan(TOLERATED_GROWTH);
  await stores.close();
});
