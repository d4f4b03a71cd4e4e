import type { Environment } from './read-values.ts';

/** The environment of this process. No other file of the product reads it. */
export function readEnvironment(): Environment {
  return process.env;
}
