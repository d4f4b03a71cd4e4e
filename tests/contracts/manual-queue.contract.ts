/** What every ManualQueue promises. */

import { describe, expect, test } from 'vitest';
import type { ManualAnswer, ManualCommand } from '../../core/execution/manual-command.ts';
import type { Stores } from '../../core/ports/stores.ts';
import {
  aCommand,
  aCommit,
  aNewRun,
  anEnd,
  aWalk,
  executionId,
  stepId,
  tamper,
  text,
  walkId,
} from './builders.ts';
import { type CreateStores, opened } from './opened.ts';

const answer: ManualAnswer = {
  success: true,
  values: { __seen__: 'yes' },
  answeredBy: 'alice',
  answeredMs: 3_000,
};
const answered = { kind: 'answered', answer } as const;
const expired = { kind: 'expired' } as const;

/** `crowd` is how many commands wait at once; fewer where the peer reads everything to find anything. */
export function manualQueueContract(create: CreateStores, crowd = 1_000): void {
  /** Run 1 asking `command` at its turn 1. */
  async function asking(command: ManualCommand = aCommand(1, 1)): Promise<Stores> {
    const stores = await opened(create);
    await stores.runs.create(aNewRun(1));
    await stores.journal.commit(aCommit(1, 0, { ask: command }));
    return stores;
  }

  /** Two branches of run 1 that ask at the same step and the same turn. */
  async function branchesAsking(): Promise<Stores> {
    const stores = await opened(create);
    const branches = [walkId('w.1-0'), walkId('w.1-1')];
    const walks = branches.map((id) => aWalk(0, { walkId: id }));
    await stores.runs.create(aNewRun(1));
    await stores.journal.commit(aCommit(1, 0, { walks }));
    for (const [index, id] of branches.entries()) {
      const ask = aCommand(1, 1, { walkId: id, openedMs: 2_000 + index });
      await stores.journal.commit(aCommit(1, 0, { walkId: id, ask }));
    }
    return stores;
  }

  describe('manual queue', () => {
    test('a command that was asked is pending, exactly as it was asked', async () => {
      const command = aCommand(1, 1, {
        description: '\u0000 \ud800',
        command: 'TG9vay4=',
        commandIsBase64: true,
        targets: { 'individual--1': { type: 'individual', name: 'Bob' } },
        outArgs: { __seen__: { type: 'string', description: 'what was seen', value: '' } },
      });

      const { manual } = await asking(command);

      expect(await manual.list()).toStrictEqual([command]);
      expect(await manual.get(executionId(1), stepId(1))).toStrictEqual(command);
      expect(await manual.answered()).toEqual([]);
    });

    test('nothing is known of steps that asked nothing', async () => {
      const { manual } = await asking();

      expect(await manual.get(executionId(1), stepId(2))).toBeUndefined();
      expect(await manual.get(executionId(2), stepId(1))).toBeUndefined();
      expect(await manual.settle(executionId(1), stepId(1), 2, expired)).toBeUndefined();
      expect(await manual.settle(executionId(1), stepId(2), 1, expired)).toBeUndefined();
      expect(await manual.settle(executionId(2), stepId(1), 1, expired)).toBeUndefined();
      expect(await manual.list()).toEqual([aCommand(1, 1)]);
    });

    test('pending commands of all runs are listed oldest first, ties by creation', async () => {
      const { runs, journal, manual } = await opened(create);
      const commands = [30, 10, 20, 20].map((openedMs, n) => aCommand(n, 1, { openedMs }));
      for (const [n, ask] of commands.entries()) {
        await runs.create(aNewRun(n));
        await journal.commit(aCommit(n, 0, { ask }));
      }

      const list = await manual.list();

      expect(list.map(({ executionId: id }) => id)).toEqual([1, 2, 3, 0].map(executionId));
    });

    test('an answered command waits with its answer until its walk consumes it', async () => {
      const { manual } = await asking();

      const settled = await manual.settle(executionId(1), stepId(1), 1, answered);

      const command = aCommand(1, 1, { state: answered });
      expect(settled).toStrictEqual({ won: true, state: answered });
      expect(await manual.list()).toEqual([]);
      expect(await manual.answered()).toStrictEqual([command]);
      expect(await manual.get(executionId(1), stepId(1))).toStrictEqual(command);
    });

    test('an expired command is neither pending nor answered, but still found', async () => {
      const { manual } = await asking();

      const settled = await manual.settle(executionId(1), stepId(1), 1, expired);

      expect(settled).toStrictEqual({ won: true, state: expired });
      expect(await manual.list()).toEqual([]);
      expect(await manual.answered()).toEqual([]);
      expect((await manual.get(executionId(1), stepId(1)))?.state).toEqual(expired);
    });

    test('whoever comes second learns what the first one made of it', async () => {
      const { manual } = await asking();
      await manual.settle(executionId(1), stepId(1), 1, expired);

      const late = await manual.settle(executionId(1), stepId(1), 1, answered);

      expect(late).toStrictEqual({ won: false, state: expired });
      expect(await manual.answered()).toEqual([]);
    });

    test('of many concurrent answers and an expiry exactly one wins', async () => {
      const { manual } = await asking();
      const tries = Array.from({ length: 12 }, (_, n) =>
        n === 5
          ? expired
          : ({ kind: 'answered', answer: { ...answer, answeredBy: `user ${n}` } } as const),
      );

      const settled = await Promise.all(
        tries.map((to) => manual.settle(executionId(1), stepId(1), 1, to)),
      );

      const winners = tries.filter((_, n) => settled[n]?.won === true);
      expect(winners).toHaveLength(1);
      expect(settled.map((one) => one?.state)).toEqual(tries.map(() => winners[0]));
      expect((await manual.get(executionId(1), stepId(1)))?.state).toEqual(winners[0]);
    });

    test('consuming a command removes it', async () => {
      const { manual, journal } = await asking();
      await manual.settle(executionId(1), stepId(1), 1, answered);

      await journal.commit(aCommit(1, 1, { consumed: { stepId: stepId(1), turn: 1 } }));

      expect(await manual.get(executionId(1), stepId(1))).toBeUndefined();
      expect(await manual.answered()).toEqual([]);
      expect(await manual.settle(executionId(1), stepId(1), 1, answered)).toBeUndefined();
    });

    test('a stale turn neither consumes nor asks', async () => {
      const { manual, journal } = await asking();

      const outcome = await journal.commit(
        aCommit(1, 0, {
          consumed: { stepId: stepId(1), turn: 1 },
          ask: aCommand(1, 1, { command: 'Look again.' }),
        }),
      );

      expect(outcome).toBe('stale');
      expect(await manual.list()).toEqual([aCommand(1, 1)]);
    });

    test('a walk that consumes an answer may ask the next question of the same step', async () => {
      const { manual, journal } = await asking();
      await manual.settle(executionId(1), stepId(1), 1, answered);
      const next = aCommand(1, 2, { command: 'And now?' });

      await journal.commit(aCommit(1, 1, { consumed: { stepId: stepId(1), turn: 1 }, ask: next }));

      expect(await manual.get(executionId(1), stepId(1))).toEqual(next);
      expect(await manual.list()).toEqual([next]);
      expect(await manual.answered()).toEqual([]);
      expect(await manual.settle(executionId(1), stepId(1), 1, answered)).toBeUndefined();
    });

    test('a new question of a walk replaces one it never consumed', async () => {
      const { manual, journal } = await asking();
      const next = aCommand(1, 2, { stepId: stepId(2) });

      await journal.commit(aCommit(1, 1, { ask: next }));

      expect(await manual.list()).toEqual([next]);
      expect(await manual.get(executionId(1), stepId(1))).toBeUndefined();
    });

    test('turns that do not concern a command leave it alone', async () => {
      const { manual, journal } = await asking();

      await journal.commit(aCommit(1, 1, { variables: { __a__: text('1') } }));
      await journal.commit(aCommit(1, 2, { consumed: { stepId: stepId(1), turn: 2 } }));

      expect(await manual.list()).toEqual([aCommand(1, 1)]);
    });

    test('two branches may ask at the same step; each is answered for itself', async () => {
      const { manual, journal } = await branchesAsking();
      const [first, second] = [walkId('w.1-0'), walkId('w.1-1')];

      expect((await manual.get(executionId(1), stepId(1)))?.walkId).toBe(second);
      expect((await manual.get(executionId(1), stepId(1), first))?.walkId).toBe(first);
      await manual.settle(executionId(1), stepId(1), 1, expired, first);

      expect((await manual.list()).map((command) => command.walkId)).toEqual([second]);
      const settled = await manual.settle(executionId(1), stepId(1), 1, answered);
      expect(settled?.won).toBe(true);
      expect((await manual.answered()).map((command) => command.walkId)).toEqual([second]);

      const consumed = { stepId: stepId(1), turn: 1 };
      await journal.commit(aCommit(1, 1, { walkId: second, consumed }));
      expect((await manual.get(executionId(1), stepId(1)))?.walkId).toBe(first);
    });

    test('the commands of a joined branch disappear with it', async () => {
      const { manual, journal } = await branchesAsking();

      await journal.commit(aCommit(1, 1, { joined: [walkId('w.1-0')] }));

      expect((await manual.list()).map((command) => command.walkId)).toEqual([walkId('w.1-1')]);
    });

    test('pending commands disappear with the end of their run', async () => {
      const { manual, journal } = await branchesAsking();

      await journal.commit(anEnd(1, 1));

      expect(await manual.list()).toEqual([]);
      expect(await manual.get(executionId(1), stepId(1))).toBeUndefined();
    });

    test('changing what was read changes nothing in the store', async () => {
      const { manual } = await asking();

      tamper((await manual.list())[0], (command) => {
        command['state'] = expired;
      });
      tamper((await manual.get(executionId(1), stepId(1)))?.targets, (targets) => {
        targets['x'] = {};
      });

      expect(await manual.list()).toEqual([aCommand(1, 1)]);
    });

    test(`${crowd} commands can wait at once`, async () => {
      const { runs, journal, manual } = await opened(create);
      const ns = Array.from({ length: crowd }, (_, n) => n);
      await Promise.all(
        ns.map(async (n) => {
          await runs.create(aNewRun(n));
          await journal.commit(aCommit(n, 0, { ask: aCommand(n, 1, { openedMs: n }) }));
        }),
      );

      const list = await manual.list();

      expect(list.map(({ executionId: id }) => id)).toEqual(ns.map(executionId));
    });
  });
}
