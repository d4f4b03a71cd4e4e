/** What a host remembers of a timer between two starts. */

export type TimerState = {
  /** The schedule this was computed for; another one makes `nextMs` worthless. */
  readonly schedule: string;
  /** Undefined until the first run. */
  readonly lastMs: number | undefined;
  readonly nextMs: number;
  readonly updatedMs: number;
};

/** Keeps one state per function. */
export interface TimerStates {
  load(functionName: string): TimerState | undefined;
  save(functionName: string, state: TimerState): void;
}
