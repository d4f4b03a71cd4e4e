/** Cancellations by looking at the run now and then while work for it is in flight. */

import type { ExecutionId } from '../../core/execution/ids.ts';
import type { Cancellations } from '../../core/ports/cancellations.ts';
import type { RunStore } from '../../core/ports/run-store.ts';

/** Most steps are over before the first look, so they cost no look at all. */
const INTERVAL_MS = 1_000;

export class PolledCancellations implements Cancellations {
  readonly #runs: RunStore;
  readonly #intervalMs: number;

  constructor(runs: RunStore, intervalMs = INTERVAL_MS) {
    this.#runs = runs;
    this.#intervalMs = intervalMs;
  }

  watch(id: ExecutionId) {
    const controller = new AbortController();
    const timer = setInterval(() => {
      this.#runs.get(id).then(
        (run) => {
          // A run that is gone was purged; nobody will read what its work brings.
          if (run === undefined || run.control === 'cancel') controller.abort();
        },
        // The store is away: the work goes on, the next look may succeed.
        () => {},
      );
    }, this.#intervalMs);
    timer.unref();
    return { signal: controller.signal, stop: () => clearInterval(timer) };
  }
}
