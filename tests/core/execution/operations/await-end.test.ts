/** Waiting for the end of an execution: told at once, found out by looking, or given up in time. */

import { describe, expect, test } from 'vitest';
import type { ExecutionId } from '../../../../core/execution/ids.ts';
import { awaitEnd } from '../../../../core/execution/operations/await-end.ts';
import { aBench, drive } from '../../../support/a-bench.ts';
import { action, aPlaybook, byPerson, end, start } from '../../../support/a-playbook.ts';
import { begin, run } from '../../../support/run-playbook.ts';

const asking = aPlaybook('q', { start: start('look'), look: action('end', byPerson), end });
const quick = aPlaybook('p', { start: start('a'), a: action('end'), end });

describe('waiting for the end of an execution', () => {
  test('answers at once when it has ended', async () => {
    const bench = aBench();
    const { report } = await run(bench, quick);

    const ended = await awaitEnd(bench, report.run.executionId, undefined);

    expect(ended?.status).toBe('successfully_executed');
  });

  test('answers when it ends, looking less and less often while nobody tells', async () => {
    const looks: number[] = [];
    const bench = aBench();
    const { executionId } = await begin(bench, asking);
    const signals = {
      ended: () => {},
      waitForEnd: async (_: ExecutionId, timeoutMs: number) => {
        looks.push(timeoutMs);
        if (looks.length === 8) await drive(bench, executionId);
      },
    };

    const ended = await awaitEnd({ ...bench, signals }, executionId, undefined);

    expect(ended?.status).toBe('failed');
    expect(looks.slice(0, 8)).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  test('answers a running execution when the time is up', async () => {
    const bench = aBench();
    const { executionId } = await begin(bench, asking);
    const signals = {
      ended: () => {},
      waitForEnd: async (_: ExecutionId, timeoutMs: number) => bench.pass(timeoutMs),
    };
    const begunMs = bench.clock.now();

    const found = await awaitEnd({ ...bench, signals }, executionId, 500);

    expect(found?.status).toBe('ongoing');
    expect(bench.clock.now() - begunMs).toBe(500);
  });

  test('answers nothing for an unknown execution', async () => {
    expect(await awaitEnd(aBench(), 'x' as ExecutionId, undefined)).toBeUndefined();
  });
});
