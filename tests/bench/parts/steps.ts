/** What a step costs above the work it does, and whether that grows with the playbook. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionId } from '../../../core/execution/ids.ts';
import { createSqliteStores } from '../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { clientOf } from '../../support/client.ts';
import { type DurableProduct, openProduct } from '../../support/durable-product.ts';
import { startService } from '../../support/service.ts';
import type { Figure, Part } from '../figure.ts';
import { aChain } from '../playbooks.ts';
import { startNoOpTarget } from '../start-target.ts';

const lengths = [10, 100, 1_000, 10_000];
const ROUNDS = 3;
/** Steps per measurement at least: short chains are executed several times. */
const STEPS_AT_LEAST = 1_000;

export const steps: Part = {
  name: 'steps',
  says:
    'Milliseconds per action step of a chain of steps, from the creation of the execution to its recorded ' +
    'end, all writes included. In the service every step calls an HTTP target that answers at once, in a ' +
    'process of its own. What such a call costs without the product, over a connection of its own as every ' +
    'step makes one, is measured in the same run and taken off; what the http-api capability adds is not. ' +
    'In process, the steps do nothing: that is the durable engine, the interpreter and the SQLite store ' +
    'alone. Validation of the playbook and compiling its plan come before and are not in it.',
  run: async () => [...(await throughTheService()), ...(await inProcess())],
};

async function throughTheService(): Promise<readonly Figure[]> {
  const target = await startNoOpTarget();
  const service = await startService();
  try {
    const ask = clientOf(service.url);
    const timed = async (length: number) => {
      const body = aChain(length, target.url);
      const { json } = await ask('POST', '/trigger/playbook', { body });
      const [{ started, ended }] = (await ask('GET', '/execution?limit=1')).json;
      if (json.status !== 'successfully_executed') throw new Error(JSON.stringify(json));
      return Date.parse(ended) - Date.parse(started);
    };
    for (let warm = 0; warm < 20; warm += 1) await timed(50);
    const rawMs = await target.rawCallMs();
    const perStep = await forLengths(async (length) => (await timed(length)) / length - rawMs);
    return [
      { what: 'one call of the HTTP target without the product', value: rawMs, unit: 'ms' },
      ...figures('service', perStep),
    ];
  } finally {
    await service.dispose();
    target.stop();
  }
}

async function inProcess(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const stores = createSqliteStores({ path: join(folder, 'store.db'), synchronous: 'normal' });
  const product = await openProduct({ stores });
  try {
    for (let warm = 0; warm < 20; warm += 1) await product.execute(aChain(50));
    return figures('in process', await forLengths((length) => msPerStep(product, length)));
  } finally {
    await product.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the creation of the run to its recorded end. */
export async function msPerStep(product: DurableProduct, length: number): Promise<number> {
  const id: ExecutionId = await product.execute(aChain(length));
  const run = await product.bench.stores.runs.get(id);
  if (run?.status !== 'successfully_executed') throw new Error(`The run ended: ${run?.status}.`);
  return ((run.endedMs ?? Number.NaN) - run.startedMs) / length;
}

/** Round by round, so that a slow minute of the machine meets all lengths; the best round counts. */
async function forLengths(
  measure: (length: number) => Promise<number>,
): Promise<ReadonlyMap<number, number>> {
  const best = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const length of lengths) {
      const times = Math.max(1, STEPS_AT_LEAST / length);
      let sum = 0;
      for (let time = 0; time < times; time += 1) sum += await measure(length);
      best.set(length, Math.min(sum / times, best.get(length) ?? Number.POSITIVE_INFINITY));
    }
  }
  return best;
}

/** The most any value exceeds one before it. */
function growth(values: readonly number[]): number {
  const ratios = values.flatMap((value, at) => values.slice(0, at).map((less) => value / less));
  return Math.max(...ratios);
}

function figures(where: string, perStep: ReadonlyMap<number, number>): readonly Figure[] {
  const long = [...perStep].filter(([length]) => length >= 100).map(([, value]) => value);
  return [
    ...[...perStep].map(([length, value]) => ({
      what: `${where}: engine overhead per step, ${length.toLocaleString('en')} steps`,
      value,
      unit: 'ms',
      ...(length >= 100 ? { target: 1 } : {}),
    })),
    {
      what: `${where}: the most a longer chain costs over a shorter one, from 100 steps on`,
      value: growth(long),
      unit: 'x',
      target: 1.5,
    },
  ];
}
