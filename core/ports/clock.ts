/** Wall-clock time, milliseconds since the epoch. Tests freeze it. */
export interface Clock {
  now(): number;
}

/** Makes UUIDs (version 4). */
export interface Ids {
  uuid(): string;
}
