/**
 * Histories of instances that worked lately, so that an episode need not read them again. Bounded
 * by number and by size; the instance used least recently goes first.
 */
import type { Run } from './run.ts';

const maxRuns = 256;
/** In UTF-16 units of history text; parsed events take a few times as many bytes. */
const maxTotalSize = 4_000_000;

export class RunCache {
  readonly #runs = new Map<string, Run>();
  #totalSize = 0;

  get(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  put(run: Run): void {
    this.drop(run.instance.id);
    this.#runs.set(run.instance.id, run);
    this.#totalSize += run.size;
    for (const id of this.#runs.keys()) {
      if (this.#runs.size <= maxRuns && this.#totalSize <= maxTotalSize) return;
      this.drop(id);
    }
  }

  drop(id: string): void {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    this.#runs.delete(id);
    this.#totalSize -= run.size;
  }

  get size(): number {
    return this.#runs.size;
  }
}
