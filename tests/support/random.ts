/** Reproducible randomness: the same seed gives the same numbers (mulberry32). */

export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    shuffled(values) {
      const keys = new Map(values.map((value) => [value, next()]));
      return values.toSorted((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0));
    },
  };
}
