import type { PlaybookId, StepId } from '../cacao/ids.ts';
import type { Agent, AgentTarget, AuthenticationInfo, Command } from '../cacao/playbook.ts';
import type { ExecutionId } from '../execution/ids.ts';
import type { FailureStatus, Variables } from '../execution/run.ts';

/** The step a session works for. */
export type StepContext = {
  readonly executionId: ExecutionId;
  readonly playbookId: PlaybookId;
  readonly stepId: StepId;
  /** Stable across retries of the same work: `<execution>/<invocation>`; fit for an idempotency key. */
  readonly workKey: string;
  /** Absolute end of the step, milliseconds since the epoch. */
  readonly deadlineMs: number;
};

/** One command for one target, every string already interpolated. */
export type Invocation = {
  readonly command: Command;
  /** The command text after decoding command_b64 and interpolation; empty when the command has none. */
  readonly text: string;
  /** The body after decoding content_b64 and interpolation. */
  readonly content: string | Uint8Array | undefined;
  readonly agent: Agent;
  /** Absent only for capabilities that may run without a target (manual, fin). */
  readonly target?: AgentTarget;
  readonly targetId?: string;
  readonly authentication?: AuthenticationInfo;
  readonly authenticationId?: string;
  /** The scope visible to the step. */
  readonly variables: Variables;
  /** Names listed by the step's out_args; capabilities may return extra variables when asked for. */
  readonly outArgs: readonly string[];
  /** Aborted when the step's time is up or the execution is cancelled. */
  readonly signal: AbortSignal;
};

/** A failed command is a value. `error` is a sentence for the report; secrets are redacted by the caller. */
export type CommandOutcome = {
  /** Secrets met on the way, an acquired token for example, to be hidden in the report. */
  readonly secrets?: readonly string[];
} & (
  | {
      readonly ok: true;
      readonly values: { readonly [name: string]: string };
      readonly executedBy?: string;
    }
  | {
      readonly ok: false;
      readonly status: FailureStatus;
      readonly error: string;
      /** Reported with the step, never added to the scope. */
      readonly values?: { readonly [name: string]: string };
      readonly executedBy?: string;
    }
);

/** One step's use of a capability: connections may be kept from command to command. */
export interface CapabilitySession {
  /** Never rejects for what a target does; a rejection is a defect and becomes server_side_error. */
  perform(invocation: Invocation): Promise<CommandOutcome>;
  end(): Promise<void>;
}

/** Carries out the commands of agents that resolve to `name`. Adapters live in infra/capabilities. */
export interface Capability {
  /** Bare name such as `ssh` or `http-api`. */
  readonly name: string;
  /** May run without a target. */
  readonly targetless: boolean;
  begin(step: StepContext): CapabilitySession;
}

/** A capability that keeps nothing between commands. */
export function statelessCapability(
  name: string,
  perform: (invocation: Invocation, step: StepContext) => Promise<CommandOutcome>,
): Capability {
  return {
    name,
    targetless: false,
    begin: (step) => ({
      perform: (invocation) => perform(invocation, step),
      end: async () => {},
    }),
  };
}
