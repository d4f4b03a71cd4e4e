import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import { createSqliteStores } from '../../../../infra/stores/sqlite/create-sqlite-stores.ts';
import { aStep, executionId, text } from '../../../contracts/builders.ts';
import { temporaryDatabase } from './temporary-database.ts';

const script = join(import.meta.dirname, 'endless-run.ts');

/** Runs the child until it has committed `turns` more turns, kills it, answers the last turn it told of. */
async function runAndKill(path: string, turns: number): Promise<number> {
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const ended = once(child, 'exit');
  let told = 0;
  let lines = 0;
  // Lines the child wrote before it died still arrive after the kill.
  for await (const line of createInterface(child.stdout)) {
    told = Number(line);
    lines += 1;
    if (lines === turns) child.kill('SIGKILL');
  }
  const [, signal] = await ended;
  expect(signal, complaints.join('')).toBe('SIGKILL');
  return told;
}

test('a committed turn survives the sudden death of the process, and no turn is torn', async () => {
  const path = temporaryDatabase();

  for (const turns of [1, 37, 200]) {
    const told = await runAndKill(path, turns);

    const stores = createSqliteStores({ path, synchronous: 'normal' });
    const open = await stores.journal.open(executionId(1), mainWalk);
    const turn = open?.walk.turn ?? -1;
    expect(turn).toBeGreaterThanOrEqual(told);
    expect(turn).toBeLessThanOrEqual(told + 1);
    expect(open?.variables['__turn__']).toEqual(text(`${turn}`));
    expect(open?.run.statusText).toBe(`turn ${turn}`);
    expect((await stores.manual.list()).map((command) => command.turn)).toEqual([turn]);
    const ended = (await stores.journal.steps(executionId(1))).filter(
      ({ record }) => record.status !== 'ongoing',
    );
    expect(ended.at(-1)?.record).toEqual(aStep(`w#${turn - 1}`));
    expect(await stores.runs.list({ order: 'oldest-first' })).toHaveLength(
      1 + Math.ceil(turn / 10),
    );
    await stores.close();
  }

  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  database.close();
});
