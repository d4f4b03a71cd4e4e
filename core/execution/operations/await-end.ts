/** Waiting for the end of an execution, told by word of mouth in this process, by polling otherwise. */

import type { Clock } from '../../ports/clock.ts';
import type { RunSignals } from '../../ports/run-signals.ts';
import type { RunStore } from '../../ports/run-store.ts';
import type { ExecutionId } from '../ids.ts';
import type { Run } from '../run.ts';

type Watched = {
  readonly stores: { readonly runs: RunStore };
  readonly signals: RunSignals;
  readonly clock: Clock;
};

const FIRST_POLL_MS = 200;
const LONGEST_POLL_MS = 5_000;

/** The run when it has ended or `waitMs` have passed, whichever is first; undefined wait means no limit. */
export async function awaitEnd(
  { stores, signals, clock }: Watched,
  id: ExecutionId,
  waitMs: number | undefined,
): Promise<Run | undefined> {
  const untilMs = waitMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + waitMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(LONGEST_POLL_MS, pollMs * 2)) {
    // Registered before the look at the store, so that an end in between is not missed.
    const remainingMs = untilMs - clock.now();
    const told = signals.waitForEnd(id, Math.max(0, Math.min(pollMs, remainingMs)));
    const run = await stores.runs.get(id);
    if (run === undefined || run.status !== 'ongoing' || remainingMs <= 0) return run;
    await told;
  }
}
