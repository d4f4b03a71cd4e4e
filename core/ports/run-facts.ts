import type { Playbook } from '../cacao/playbook.ts';
import type { ExecutionId } from '../execution/ids.ts';
import type { Variables } from '../execution/run.ts';

/** What a reporter may want to know of an execution beyond its events. */
export type RunFacts = {
  /** As it was written: texts of it must be redacted before they are shown. */
  readonly playbook: Playbook;
  /** The scope as it is now, redacted. */
  readonly variables: Variables;
  /** Hides the secrets of this execution. */
  readonly redact: (text: string) => string;
};

/** Answers undefined when the execution is forgotten. */
export type RunLookup = (id: ExecutionId) => Promise<RunFacts | undefined>;
