/**
 * What one small action step costs in the SQLite stores: open, begin and commit, each with its own
 * durable write, in a file with synchronous normal. A loop of one step, then a run of all different steps.
 * Run it with `node tests/infra/stores/sqlite/measure-turns.ts [turns] [normal|full]`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExecutionId, mainWalk } from '../../../../core/execution/ids.ts';
import type { Stores } from '../../../../core/ports/stores.ts';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import {
  aCommit,
  aNewRun,
  anOngoingStep,
  aStep,
  executionId,
  stepId,
  text,
} from '../../../contracts/builders.ts';

/** Milliseconds per turn, in order. */
export async function measureTurns(
  { runs, journal }: Stores,
  run: number,
  turns: number,
  stepOf: (turn: number) => number,
): Promise<readonly number[]> {
  const id: ExecutionId = executionId(run);
  const variables = { __a__: text('a value'), __b__: text('another') };
  await runs.create(aNewRun(run, { variables }));
  const costs: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const step = { stepId: stepId(stepOf(turn)), variables };
    const start = performance.now();
    await journal.open(id, mainWalk);
    await journal.begin(id, mainWalk, turn, anOngoingStep(`w#${turn}`, step));
    await journal.commit(
      aCommit(run, turn, {
        variables: { __a__: text(`value ${turn}`) },
        steps: [aStep(`w#${turn}`, step)],
      }),
    );
    costs.push(performance.now() - start);
  }
  return costs;
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

if (import.meta.main) await report();

async function report(): Promise<void> {
  const turns = Number(process.argv[2] ?? 10_000);
  const synchronous = process.argv[3] === 'full' ? 'full' : 'normal';
  const directory = mkdtempSync(join(tmpdir(), 'stores-'));
  const stores = createSqliteStores({ path: join(directory, 'store.sqlite'), synchronous });
  await measureTurns(stores, 1, 500, () => 1);
  say(`${cpus()[0]?.model}, Node ${process.version}, ${turns} turns, synchronous ${synchronous}`);
  say('milliseconds per turn (open + begin + commit): mean, median, 99th percentile');
  const loop = await measureTurns(stores, 2, turns, () => 1);
  const line = await measureTurns(stores, 3, turns, (turn) => turn);
  for (const [name, costs] of [
    ['loop of one step, all turns', loop],
    ['loop of one step, first tenth', loop.slice(0, turns / 10)],
    ['loop of one step, last tenth', loop.slice(-turns / 10)],
    ['different steps, all turns', line],
    ['different steps, first tenth', line.slice(0, turns / 10)],
    ['different steps, last tenth', line.slice(-turns / 10)],
  ] as const) {
    const sorted = [...costs].sort((left, right) => left - right);
    const slow = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    say(
      `${name.padEnd(32)}${[mean(costs), median(costs), slow].map((ms) => ms.toFixed(3)).join('  ')}`,
    );
  }
  await stores.close();
  rmSync(directory, { recursive: true });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
