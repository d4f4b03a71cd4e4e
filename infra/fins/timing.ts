/** How long the gateway waits for what, in milliseconds. Tests shorten it. */

export type FinTiming = {
  /** For a fin to acknowledge a command, counted from when it is free to. */
  readonly ackMs: number;
  /** Before an instance gives an answer that another one should have given; up to twice as long. */
  readonly graceMs: number;
  /** How long a fin may be kept busy by a command nobody waits for any more. */
  readonly abandonedMs: number;
  /** For fins to answer an order, or that they are to stop. */
  readonly answerMs: number;
  /** For a broker that is away to come back before a command is given up. */
  readonly connectMs: number;
  /** How long a connection made on demand stays without work. */
  readonly idleMs: number;
  /** Between two attempts to connect, doubled after each failure up to the longest. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
};

export const finTiming: FinTiming = {
  ackMs: 10_000,
  graceMs: 1_000,
  abandonedMs: 600_000,
  answerMs: 10_000,
  connectMs: 10_000,
  idleMs: 60_000,
  retryMs: 250,
  longestRetryMs: 30_000,
};
