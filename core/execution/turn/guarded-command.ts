/**
 * One command under guard: a capability that throws, or does not stop when told to, must not take the
 * run with it.
 */

import type { CapabilitySession, CommandOutcome, Invocation } from '../../ports/capability.ts';

type Failed = Extract<CommandOutcome, { readonly ok: false }>;

/** A capability that does not heed its signal is given this long, then left behind. */
const ABORT_GRACE_MS = 2_000;

export async function performGuarded(
  session: CapabilitySession,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const { signal } = invocation;
  const aborted = Promise.withResolvers<CommandOutcome>();
  let grace: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    grace = setTimeout(() => aborted.resolve(endedBy(signal)), ABORT_GRACE_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([session.perform(invocation), aborted.promise]);
  } catch (error) {
    return signal.aborted ? endedBy(signal) : crashed(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(grace);
  }
}

/** Why no command is begun once the signal has aborted. */
export function endedBy(signal: AbortSignal): Failed {
  const timedOut = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  if (timedOut) return { ok: false, status: 'timeout_error', error: 'The time of the step is up.' };
  return { ok: false, status: 'failed', error: 'The execution was cancelled.' };
}

export function crashed(error: unknown): Failed {
  const reason = error instanceof Error ? error.message : String(error);
  return { ok: false, status: 'server_side_error', error: `The capability crashed: ${reason}` };
}

/** What the commands did is settled; a session that cannot be ended does not change it. */
export async function endQuietly(session: CapabilitySession): Promise<void> {
  try {
    await session.end();
  } catch {
    // Its capability has nobody left to tell.
  }
}
