/** One measured number, and how numbers are won on a machine that others use too. */

export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The most it may be; a run with a larger value fails. */
  readonly target?: number;
  readonly note?: string;
};

export type Part = {
  readonly name: string;
  /** What is measured, and what is not. */
  readonly says: string;
  run(): Promise<readonly Figure[]>;
};

/** Others share the machine, so the best of several runs comes closest to what the work itself costs. */
export async function bestOf(times: number, measure: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run += 1) best = Math.min(best, await measure());
  return best;
}

export async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** `share` 0.5 is the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[at] ?? Number.NaN;
}

export function missesTarget({ value, target }: Figure): boolean {
  return target !== undefined && !(value <= target);
}
