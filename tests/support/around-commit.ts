/** Stores whose commits a test can watch, or die at. */

import type { Commit } from '../../core/ports/run-journal.ts';
import type { Stores } from '../../core/ports/stores.ts';

type Write = () => Promise<'committed' | 'stale'>;

/** The same stores; every commit goes through `around`, which decides when to `write`. */
export function aroundCommit(
  stores: Stores,
  around: (commit: Commit, write: Write) => Promise<'committed' | 'stale'>,
): Stores {
  const { journal } = stores;
  return {
    ...stores,
    journal: {
      open: (...place) => journal.open(...place),
      begin: (...work) => journal.begin(...work),
      written: (...place) => journal.written(...place),
      steps: (id) => journal.steps(id),
      commit: (commit) => around(commit, () => journal.commit(commit)),
    },
  };
}

/** What a process that was killed cannot do any more. */
export class Killed extends Error {}

/** Kills the process at each of these commits, counted from 1: before it is written, or right after. */
export function mortal(stores: Stores, at: ReadonlySet<number>, when: 'before' | 'after'): Stores {
  let commits = 0;
  return aroundCommit(stores, async (_, write) => {
    commits += 1;
    const dies = at.has(commits);
    if (dies && when === 'before') throw new Killed();
    const done = await write();
    if (dies) throw new Killed();
    return done;
  });
}
