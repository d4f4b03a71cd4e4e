/** What every FinStore promises. */

import { describe, expect, test } from 'vitest';
import type { FinStore } from '../../core/ports/fin-store.ts';
import { aFin } from '../support/a-fin.ts';
import { tamper } from './builders.ts';

/** `create` makes the store of an adapter over an empty database, and sees to its closing. */
export function finStoreContract(create: () => Promise<FinStore>): void {
  describe('fin store', () => {
    test('an empty store holds no fins at revision 0', async () => {
      const store = await create();

      expect(await store.read()).toEqual({ revision: 0, fins: [] });
    });

    test('a registry comes back as it was written, fins in their order', async () => {
      const store = await create();
      const fins = [aFin('b'), aFin('a', { name: 'Ä', state: 'failed' }), aFin('c')];

      const written = await store.write(fins, 0);

      expect(written).toBe(true);
      const { revision, fins: stored } = await store.read();
      expect(stored).toStrictEqual(fins);
      expect(revision).toBeGreaterThan(0);
    });

    test('a registry that was changed meanwhile is not overwritten', async () => {
      const store = await create();
      await store.write([aFin('a')], 0);
      const { revision } = await store.read();
      await store.write([aFin('b')], revision);

      expect(await store.write([aFin('c')], revision)).toBe(false);
      expect(await store.write([aFin('c')], 0)).toBe(false);

      expect((await store.read()).fins).toEqual([aFin('b')]);
    });

    test('a revision is never used twice, even when the registry is emptied', async () => {
      const store = await create();
      const seen = new Set<number>();
      for (const fins of [[aFin('a')], [], [aFin('a')], []]) {
        const { revision } = await store.read();
        seen.add(revision);
        expect(await store.write(fins, revision)).toBe(true);
      }

      expect(seen.size).toBe(4);
      expect((await store.read()).fins).toEqual([]);
    });

    test('of concurrent writes at one revision exactly one wins, the first and later ones', async () => {
      const store = await create();
      for (let round = 0; round < 3; round += 1) {
        const { revision } = await store.read();
        const tries = Array.from({ length: 8 }, (_, n) => [aFin(`${round}-${n}`)]);

        const answers = await Promise.all(tries.map((fins) => store.write(fins, revision)));

        expect(answers.filter(Boolean)).toHaveLength(1);
        expect((await store.read()).fins).toEqual(tries[answers.indexOf(true)]);
      }
    });

    test('nobody can change a stored registry through what was given or answered', async () => {
      const store = await create();
      const given = [aFin('a')];
      await store.write(given, 0);
      tamper(given, (open) => Reflect.set(open, 0, aFin('given')));

      const { fins } = await store.read();
      tamper(fins, (open) => Reflect.set(open, 0, aFin('answered')));

      expect((await store.read()).fins).toEqual([aFin('a')]);
    });
  });
}
