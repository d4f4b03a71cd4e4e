/**
 * Runs adversary-emulation abilities on the agents of a Caldera server. The target names the group of
 * agents; an empty group would mean all of them, so it is refused.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { AgentTarget } from '../../../core/cacao/playbook.ts';
import {
  type Capability,
  type CommandOutcome,
  type Invocation,
  type StepContext,
  statelessCapability,
} from '../../../core/ports/capability.ts';
import type { EgressPolicy } from '../addressing/egress.ts';
import { readAbility } from './ability.ts';
import { type CalderaServer, createCalderaApi } from './caldera-api.ts';
import { CalderaFailure } from './caldera-failure.ts';
import { outcomeOf } from './caldera-outcome.ts';
import { runOperation } from './operation.ts';

export type CalderaOptions = {
  /** Undefined while no server is configured: then every command fails saying so. */
  readonly server: CalderaServer | undefined;
  readonly skipCertificateCheck: boolean;
  /** Where connections may go; anywhere by default. */
  readonly allows?: EgressPolicy;
  /** Default 3,000. */
  readonly pollIntervalMs?: number;
  /** Time for stopping an operation and deleting what was created. Default 5,000. */
  readonly cleanupTimeoutMs?: number;
  /** Rejects when the signal is aborted. */
  readonly sleep?: (forMs: number, signal: AbortSignal) => Promise<void>;
};

export function createCalderaCapability(options: CalderaOptions): Capability {
  return statelessCapability('caldera-cmd', (invocation, step) =>
    perform(options, invocation, step),
  );
}

async function perform(
  options: CalderaOptions,
  invocation: Invocation,
  step: StepContext,
): Promise<CommandOutcome> {
  const { target, signal } = invocation;
  if (options.server === undefined) return unusable('No Caldera server is configured.');
  const group = target === undefined ? '' : groupOf(target);
  if (group === '') {
    return unusable(
      'The target must be a security-category with category caldera, named after its group.',
    );
  }
  const ability = readAbility(invocation);
  if (ability.kind === 'unusable') return unusable(ability.problem);

  const api = createCalderaApi(options.server, options);
  const asked = { name: `svc-${step.executionId}`, group, ability };
  try {
    const result = await runOperation(api, asked, {
      pollIntervalMs: options.pollIntervalMs ?? 3_000,
      cleanupTimeoutMs: options.cleanupTimeoutMs ?? 5_000,
      sleep: options.sleep ?? sleepFor,
      signal,
    });
    return outcomeOf(result);
  } catch (error) {
    if (signal.aborted) return interrupted(signal);
    if (!(error instanceof CalderaFailure)) throw error;
    return { ok: false, status: error.status, error: error.message };
  } finally {
    await api.close();
  }
}

/** Empty when the target is not a group of Caldera agents. */
function groupOf({ type, category = [], name }: AgentTarget): string {
  const isCaldera = category.some((entry) => entry.trim().toLowerCase() === 'caldera');
  return type === 'security-category' && isCaldera ? name.trim() : '';
}

function unusable(error: string): CommandOutcome {
  return { ok: false, status: 'client_side_error', error };
}

function interrupted({ reason }: AbortSignal): CommandOutcome {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? {
        ok: false,
        status: 'timeout_error',
        error: 'The operation was stopped: the time of the step is up.',
      }
    : {
        ok: false,
        status: 'failed',
        error: 'The operation was stopped: the execution was cancelled.',
      };
}

async function sleepFor(forMs: number, signal: AbortSignal): Promise<void> {
  await delay(forMs, undefined, { signal });
}
