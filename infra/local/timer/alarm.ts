/** Calls back at an instant, however far away: Node's timers reach no further than 2^31 - 1 ms. */

export const longestDelayMs = 2 ** 31 - 1;

/** What an alarm stands on; tests turn the clock by hand. */
export type AlarmClock = {
  now(): number;
  /** Answers a function that takes the call back. */
  schedule(callback: () => void, delayMs: number): () => void;
};

export const systemAlarmClock: AlarmClock = {
  now: Date.now,
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Never rings early, also when the clock is set back meanwhile. Answers a function that cancels it. */
export function setAlarm(clock: AlarmClock, atMs: number, ring: () => void): () => void {
  let cancel = (): void => undefined;
  const wait = (): void => {
    const remainingMs = atMs - clock.now();
    if (remainingMs <= 0) ring();
    else cancel = clock.schedule(wait, Math.min(remainingMs, longestDelayMs));
  };
  cancel = clock.schedule(wait, Math.min(Math.max(atMs - clock.now(), 0), longestDelayMs));
  return () => cancel();
}
