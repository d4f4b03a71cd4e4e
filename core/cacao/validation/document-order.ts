/** Sorts findings by the place they point at, the way a reader meets them; parents before children. */

import { isJsonObject } from './draft.ts';
import type { PlacedFinding } from './report.ts';

export function inDocumentOrder(
  root: unknown,
  findings: readonly PlacedFinding[],
): readonly PlacedFinding[] {
  const positions = new Map<object, ReadonlyMap<string, number>>();
  const ranked = findings.map((finding) => ({ finding, rank: rankOf(finding.path) }));
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ finding }) => finding);

  function rankOf(path: readonly (string | number)[]): readonly number[] {
    const rank: number[] = [];
    let here: unknown = root;
    for (const part of path) {
      if (Array.isArray(here)) {
        rank.push(Number(part));
        here = here[Number(part)];
      } else if (isJsonObject(here)) {
        rank.push(positionsIn(here).get(String(part)) ?? -1);
        here = here[String(part)];
      } else break;
    }
    return rank;
  }

  function positionsIn(object: object): ReadonlyMap<string, number> {
    const known = positions.get(object);
    if (known !== undefined) return known;
    const made = new Map(Object.keys(object).map((key, index) => [key, index]));
    positions.set(object, made);
    return made;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
