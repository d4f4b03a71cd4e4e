/** What a step costs above the work it does, and whether that grows with the playbook. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionId } from '../../../core/execution/ids.ts';
import { createSqliteStores } from '../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { clientOf } from '../../support/client.ts';
import { type DurableProduct, openProduct } from '../../support/durable-product.ts';
import { startService } from '../../support/service.ts';
import { bestOf, type Figure, type Part } from '../figure.ts';
import { aChain } from '../playbooks.ts';
import { startNoOpTarget } from '../start-target.ts';

const lengths = [10, 100, 1_000, 10_000];
const runsOf = (length: number) => Math.max(2, Math.min(20, 5_000 / length));

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

async function forLengths(
  measure: (length: number) => Promise<number>,
): Promise<ReadonlyMap<number, number>> {
  const results = new Map<number, number>();
  for (const length of lengths) {
    results.set(length, await bestOf(runsOf(length), () => measure(length)));
  }
  return results;
}

function figures(where: string, perStep: ReadonlyMap<number, number>): readonly Figure[] {
  const long = [...perStep].filter(([length]) => length >= 100).map(([, value]) => value);
  return [
    ...[...perStep].map(([length, value]) => ({
      what: `${where}: engine overhead per step, ${length.toLocaleString('en')} steps`,
      value,
      unit: 'ms',
      note: `best of ${runsOf(length)}`,
      ...(length >= 100 ? { target: 1 } : {}),
    })),
    {
      what: `${where}: dearest length over cheapest, from 100 steps on`,
      value: Math.max(...long) / Math.min(...long),
      unit: 'x',
      target: 1.5,
    },
  ];
}
