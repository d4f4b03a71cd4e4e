/** Which of several waiting things goes next: the oldest, or any by a seed in tests. */

export type Pick = <T>(waiting: Iterable<T>, count: number) => T | undefined;

/** Without a seed in order of arrival; with one in an order that the seed decides. */
export function createPick(seed: number | undefined): Pick {
  if (seed === undefined) return firstOf;
  const random = seededRandom(seed);
  return (waiting, count) => {
    let skip = Math.floor(random() * count);
    for (const candidate of waiting) {
      if (skip === 0) return candidate;
      skip -= 1;
    }
    return undefined;
  };
}

/** The same things in the order in which they would be picked. */
export function inPickOrder<T>(things: readonly T[], pick: Pick): readonly T[] {
  if (pick === firstOf || things.length < 2) return things;
  const left = new Set(things);
  const picked: T[] = [];
  for (let next = pick(left, left.size); next !== undefined; next = pick(left, left.size)) {
    left.delete(next);
    picked.push(next);
  }
  return picked;
}

function firstOf<T>(waiting: Iterable<T>): T | undefined {
  for (const first of waiting) return first;
  return undefined;
}

/** Small generator of numbers in [0, 1): a counter through a mixing function. */
function seededRandom(seed: number): () => number {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
