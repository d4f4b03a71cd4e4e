/**
 * Runs powershell commands on Windows over WinRM, or over SSH where the target says so. One connection and
 * one remote shell per command: nothing of a command is left on the target when it has ended.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import type {
  Capability,
  CapabilitySession,
  CommandOutcome,
  Invocation,
  StepContext,
} from '../../../core/ports/capability.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { isReachedBySsh, performOverSsh } from './over-ssh.ts';
import { outcomeOf } from './powershell-outcome.ts';
import { encodeScript, programFor } from './script.ts';
import { winRmCredentials } from './winrm-credentials.ts';
import { winRmEndpoint } from './winrm-endpoint.ts';
import { WinRmFailure } from './winrm-failure.ts';
import { createWinRmConnection } from './wsman/connection.ts';
import { runRemoteCommand } from './wsman/remote-command.ts';

export type PowershellOptions = {
  /** Accept any TLS certificate of a target. */
  readonly skipCertificateCheck: boolean;
  readonly clock: Clock;
  /** Carries commands to targets of type ssh or on port 22; without it they are tried over WinRM. */
  readonly overSsh?: Capability;
  /** How long a target may hold back an answer while a command prints nothing. Default 20. */
  readonly operationTimeoutSeconds?: number;
  /** What a request may take beyond the operation timeout. Default 10,000. */
  readonly answerGraceMs?: number;
  /** Longest output taken, both streams together. Default 64 MiB. */
  readonly maxOutputBytes?: number;
  /** Time for stopping a command and deleting its shell. Default 5,000. */
  readonly cleanupTimeoutMs?: number;
};

export function createPowershellCapability(options: PowershellOptions): Capability {
  return {
    name: 'powershell',
    targetless: false,
    begin(step) {
      let ssh: CapabilitySession | undefined;
      return {
        async perform(invocation) {
          const { target, text } = invocation;
          if (target === undefined) return unusable('the step has no target');
          if (text.trim() === '') return unusable('the command is empty');
          const switches = encodeScript(text);
          if (switches === undefined) {
            return unusable(
              'the script is too long for a Windows command line: about 11,900 characters fit',
            );
          }
          if (options.overSsh !== undefined && isReachedBySsh(target)) {
            ssh ??= options.overSsh.begin(step);
            return performOverSsh(ssh, invocation, switches);
          }
          return performOverWinRm(options, step, invocation, switches);
        },
        end: async () => ssh?.end(),
      };
    },
  };
}

async function performOverWinRm(
  options: PowershellOptions,
  step: StepContext,
  { target, authentication, command, signal }: Invocation,
  switches: string,
): Promise<CommandOutcome> {
  const endpoint = winRmEndpoint(target ?? { type: '', name: '' });
  if ('problem' in endpoint) return unusable(endpoint.problem);
  const found = winRmCredentials(authentication);
  if ('problem' in found) return unusable(found.problem);

  const { operationTimeoutSeconds = 20, answerGraceMs = 10_000 } = options;
  const connection = createWinRmConnection({
    url: endpoint.url,
    credentials: found.credentials,
    skipCertificateCheck: options.skipCertificateCheck,
    requestTimeoutMs: operationTimeoutSeconds * 1_000 + answerGraceMs,
    random: randomBytes,
    now: () => options.clock.now(),
  });
  try {
    const result = await runRemoteCommand(
      connection,
      { program: `${programFor(command.version)}.exe`, commandArguments: switches },
      {
        url: endpoint.url.href,
        operationTimeoutSeconds,
        maxOutputBytes: options.maxOutputBytes ?? 64 * 1024 * 1024,
        cleanupTimeoutMs: options.cleanupTimeoutMs ?? 5_000,
        uuid: randomUUID,
        signal,
      },
    );
    return outcomeOf(result);
  } catch (error) {
    if (signal.aborted) return interrupted(options.clock.now(), step);
    if (error instanceof WinRmFailure) return { ok: false, status: 'failed', error: error.message };
    throw error;
  } finally {
    await connection.close();
  }
}

function unusable(error: string): CommandOutcome {
  return { ok: false, status: 'client_side_error', error };
}

function interrupted(nowMs: number, step: StepContext): CommandOutcome {
  return nowMs >= step.deadlineMs
    ? {
        ok: false,
        status: 'timeout_error',
        error: 'the command was stopped: the time of the step is up',
      }
    : {
        ok: false,
        status: 'failed',
        error: 'the command was stopped: the execution was cancelled',
      };
}
