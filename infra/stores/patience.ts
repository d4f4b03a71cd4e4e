/**
 * How requests meet a database that is busy or away: what it is too busy for is asked again when it says
 * so, for a limited time; what got lost with the connection is asked again a few times, because a
 * connection that was idle too long is often found dead only then.
 */

export type Trouble =
  /** The database is too busy. `retryAfterMs` is its own hint. */
  | { readonly kind: 'busy'; readonly retryAfterMs?: number }
  /** The connection broke: nobody knows whether the request arrived. */
  | { readonly kind: 'interrupted' }
  /** It cannot be reached now, or refuses us. `reason` is a sentence for the log. */
  | { readonly kind: 'away'; readonly reason: string };

export type Patience = {
  /** Undefined for what is no trouble but a defect. */
  readonly troubleOf: (error: unknown) => Trouble | undefined;
  /** How long a request may wait for a busy database in all. Default 10,000. */
  readonly busyForMs?: number;
  readonly sleep?: (ms: number) => Promise<void>;
};

export class StillBusy extends Error {
  override readonly name = 'StillBusy';
}

const BUSY_FOR_MS = 10_000;
const FIRST_WAIT_MS = 50;
const MOST_INTERRUPTIONS = 3;
const LONGEST_WAIT_MS = 2_000;

/** `attempt` is told whether an earlier one may have arrived already. Rejects with the last error. */
export async function patiently<Answer>(
  attempt: (isRepeated: boolean) => Promise<Answer>,
  { troubleOf, busyForMs = BUSY_FOR_MS, sleep = pause }: Patience,
): Promise<Answer> {
  let interrupted = 0;
  let waitedMs = 0;
  for (let busy = 0; ; ) {
    try {
      return await attempt(interrupted > 0);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble?.kind === 'busy') {
        const waitMs = trouble.retryAfterMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** busy);
        busy += 1;
        waitedMs += waitMs;
        if (waitedMs > busyForMs)
          throw new StillBusy('The database is too busy.', { cause: error });
        await sleep(spread(waitMs));
        continue;
      }
      if (trouble?.kind !== 'interrupted' || interrupted === MOST_INTERRUPTIONS) throw error;
      if (interrupted > 0) await sleep(spread(FIRST_WAIT_MS * interrupted));
      interrupted += 1;
    }
  }
}

/** A little longer, and not the same for all who wait. */
function spread(waitMs: number): number {
  return Math.ceil(waitMs * (1 + Math.random() / 4));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
