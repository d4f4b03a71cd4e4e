/** Checks a property on generated cases. A failure names the seed; SEED replays it, CASES=20 tries 20 times as many. */

import fc from 'fast-check';

export async function holds<Cases extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Cases> | fc.IProperty<Cases>,
  numRuns: number,
): Promise<void> {
  const { SEED: seed, CASES: times = '1' } = process.env;
  const runs = numRuns * Number(times);
  await fc.assert(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });
}
