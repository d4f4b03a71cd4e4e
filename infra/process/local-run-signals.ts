/** RunSignals by word of mouth inside this process. */

import type { ExecutionId } from '../../core/execution/ids.ts';
import type { RunSignals } from '../../core/ports/run-signals.ts';

export class LocalRunSignals implements RunSignals {
  readonly #waiting = new Map<ExecutionId, Set<() => void>>();

  ended(id: ExecutionId): void {
    for (const release of this.#waiting.get(id) ?? []) release();
  }

  waitForEnd(id: ExecutionId, timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    const timer = setTimeout(release, timeoutMs);
    waiting.add(release);
    const forget = () => this.#forget(id, release);
    function release(): void {
      clearTimeout(timer);
      forget();
      resolve();
    }
    return promise;
  }

  #forget(id: ExecutionId, release: () => void): void {
    const waiting = this.#waiting.get(id);
    waiting?.delete(release);
    if (waiting?.size === 0) this.#waiting.delete(id);
  }
}
