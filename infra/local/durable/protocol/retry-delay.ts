/** The waiting time between attempts, as the Durable Task Framework computes it. */
import type { RetryPolicy } from './orchestration-action.ts';

/**
 * Delay after a failed attempt (the first attempt is 1), or undefined when no timer follows
 * because the retry timeout has passed. The last attempt is followed by a timer due at once: old
 * histories hold it, so the framework kept it, and the SDK counts on it.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempt: number,
  firstAttemptAt: number,
  now: number,
): number | undefined {
  if (now - firstAttemptAt >= policy.timeoutMs) return undefined;
  const delayMs = Math.min(
    policy.firstDelayMs * policy.backoff ** (attempt - 1),
    policy.maxDelayMs,
  );
  if (delayMs <= 0) return undefined;
  return attempt >= policy.maxAttempts ? 0 : delayMs;
}
