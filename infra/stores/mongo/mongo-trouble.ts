/** What the errors of the driver and of the servers mean for a request. */

import {
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import type { Trouble } from '../patience.ts';

/** TooManyRequests as Cosmos DB says it, and as it may be passed through. */
const busyCodes = new Set([16500, 429]);

/** A failure within the server, or one that steps down, shuts down or starts: another try may succeed. */
const leavingCodes = new Set([1, 6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Unauthorized and AuthenticationFailed. */
const refusedCodes = new Set([13, 18]);

export const DUPLICATE_KEY = 11000;

export function mongoTrouble(error: unknown): Trouble | undefined {
  if (error instanceof MongoServerSelectionError) {
    return { kind: 'away', reason: 'no server answers' };
  }
  if (error instanceof MongoNetworkError) return { kind: 'interrupted' };
  if (error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError) {
    return { kind: 'away', reason: 'there is no connection' };
  }
  if (error instanceof MongoServerError) return serverTrouble(error);
  // The rest of the driver's own: a pool without a free connection, a time limit.
  if (error instanceof MongoError) return { kind: 'away', reason: error.message };
  const name = nameProblem(error);
  return name === undefined ? undefined : { kind: 'away', reason: name };
}

/** Names of servers are looked up (mongodb+srv) by the platform, whose errors say so. */
function nameProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return `its name cannot be looked up (${error.code})`;
}

function serverTrouble(error: MongoServerError): Trouble | undefined {
  const code = Number(error.code);
  if (busyCodes.has(code)) {
    const hint = /RetryAfterMs=(\d+)/.exec(error.message)?.[1];
    return { kind: 'busy', ...(hint === undefined ? {} : { retryAfterMs: Number(hint) }) };
  }
  if (leavingCodes.has(code)) return { kind: 'interrupted' };
  if (refusedCodes.has(code)) return { kind: 'away', reason: `it refuses us: ${error.message}` };
  return undefined;
}
