import type { SchemaCheck } from './schema-check.ts';

export type ValidationOptions = {
  /** Bare names of the capabilities of this installation, names of fins included. */
  readonly knownCapabilities: ReadonlySet<string>;
  /** Prefixes that make an agent name ours: `svc` in `svc-ssh`. */
  readonly agentPrefixes: readonly string[];
  /** A configured schema that takes the place of the built-in one. */
  readonly customSchema?: SchemaCheck;
};
