/**
 * Long timers are split into pieces, on the engine's side and in the SDK by the same rule, because
 * each piece takes a task number. Both sides must use the same limits.
 */

export type TimerLimits = {
  /** A timer longer than this is split. */
  readonly longestMs: number;
  /** Length of every piece but the last. */
  readonly pieceMs: number;
};

const dayMs = 86_400_000;

/** The limits of the Azure Storage back end. */
export const azureTimerLimits: TimerLimits = { longestMs: 6 * dayMs, pieceMs: 3 * dayMs };

/** When the next piece of a timer that ends at `fireAt` fires. */
export function nextPieceAt(fireAt: number, now: number, limits: TimerLimits): number {
  return fireAt - now > limits.longestMs ? now + limits.pieceMs : fireAt;
}

/** A duration as `d.hh:mm:ss.fff`, the form the SDK reads. */
export function toTimeSpan(durationMs: number): string {
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const days = Math.floor(durationMs / dayMs);
  const hours = pad((durationMs % dayMs) / 3_600_000, 2);
  const minutes = pad((durationMs % 3_600_000) / 60_000, 2);
  const seconds = pad((durationMs % 60_000) / 1000, 2);
  return `${days}.${hours}:${minutes}:${seconds}.${pad(durationMs % 1000, 3)}`;
}
