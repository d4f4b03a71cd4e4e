/** What the errors of Cosmos DB and its client mean for a request. */

import type { Trouble } from '../patience.ts';

export const NOT_FOUND = 404;
export const CONFLICT = 409;
export const PRECONDITION_FAILED = 412;

const TOO_MANY_REQUESTS = 429;
/** "Retry with": two who change one partition at once. */
const RETRY_WITH = 449;

/** Timed out, moved elsewhere, or failing within the service: another try may succeed. */
const passing = new Set([408, 410, 500, 502, 503, 504]);
const refused = new Set([401, 403]);

/** Nobody is there, or the client has tried again itself for as long as it was let. */
const givenUp = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'REQUEST_SEND_ERROR',
  'AbortError',
  'TimeoutError',
]);

export function cosmosTrouble(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === TOO_MANY_REQUESTS || code === RETRY_WITH) return busy(error);
  if (typeof code === 'number' && refused.has(code)) {
    return { kind: 'away', reason: `it refuses us with ${code}` };
  }
  if (typeof code === 'number') return passing.has(code) ? { kind: 'interrupted' } : undefined;
  if (code === undefined && !givenUp.has(error.name)) return undefined;
  // A name instead of a status comes from the network.
  if (code !== undefined && !givenUp.has(code)) return { kind: 'interrupted' };
  return { kind: 'away', reason: `nothing answers (${code ?? error.name})` };
}

export function codeOf(error: unknown): number | string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'number' || typeof code === 'string' ? code : undefined;
}

function busy(error: Error): Trouble {
  const hint = 'retryAfterInMs' in error ? Number(error.retryAfterInMs) : Number.NaN;
  return { kind: 'busy', ...(Number.isFinite(hint) ? { retryAfterMs: hint } : {}) };
}
