/** How every store says that it cannot serve a request now: an answer of 503, with the reason for the log. */

import { Refusal } from '../../core/errors/refusal.ts';

/** `reason` is a sentence for the log; it and `cause` never reach a caller. */
export function storeAway(reason: string, cause?: unknown): Refusal<'store-away'> {
  const why = cause === undefined ? new Error(reason) : new Error(reason, { cause });
  return new Refusal('store-away').with({}, why);
}
