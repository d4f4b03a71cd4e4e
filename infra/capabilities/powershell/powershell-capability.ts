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
} from '../../../core/ports/capability.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import type { EgressPolicy } from '../addressing/egress.ts';
import { isReachedBySsh, performOverSsh } from './over-ssh.ts';
import { interrupted, outcomeOf, unusable } from './powershell-outcome.ts';
import { encodeScript, programFor } from './script.ts';
import { readCredentials } from './winrm-credentials.ts';
import { readEndpoints } from './winrm-endpoint.ts';
import { WinRmFailure } from './winrm-failure.ts';
import { createWinRmConnection } from './wsman/connection.ts';
import type { Credentials } from './wsman/log-in.ts';
import { type RemoteCommand, type RemoteResult, runRemoteCommand } from './wsman/remote-command.ts';

export type PowershellOptions = {
  /** Accept any TLS certificate of a target. */
  readonly skipCertificateCheck: boolean;
  readonly clock: Clock;
  /** Carries commands to targets of type ssh or on port 22; without it they are tried over WinRM. */
  readonly overSsh?: Capability;
  /** Where connections over WinRM may go; anywhere by default. */
  readonly allows?: EgressPolicy;
  /** How long a target may hold back an answer while a command prints nothing. Default 20. */
  readonly operationTimeoutSeconds?: number;
  /** What a request may take beyond the operation timeout. Default 10,000. */
  readonly answerGraceMs?: number;
  /** Longest output taken, both streams together. Default 16 MiB. */
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
          if (target === undefined) return unusable('The step has no target.');
          if (text.trim() === '') return unusable('The command is empty.');
          const switches = encodeScript(text);
          if (switches === undefined) {
            return unusable('The script is too long for a Windows command line.');
          }
          if (options.overSsh !== undefined && isReachedBySsh(target)) {
            ssh ??= options.overSsh.begin(step);
            return performOverSsh(ssh, invocation, switches);
          }
          return performOverWinRm(options, invocation, switches);
        },
        end: async () => ssh?.end(),
      };
    },
  };
}

async function performOverWinRm(
  options: PowershellOptions,
  { target, authentication, command, signal }: Invocation,
  switches: string,
): Promise<CommandOutcome> {
  const endpoints = readEndpoints(target ?? { type: '', name: '' });
  if (!endpoints.ok) return unusable(endpoints.reason);
  const login = readCredentials(authentication);
  if (!login.ok) return unusable(login.reason);

  const program = `${programFor(command.version)}.exe`;
  const remote = { program, commandArguments: switches };
  const reasons: string[] = [];
  for (const url of endpoints.urls) {
    try {
      return outcomeOf(await performAt(url, login.credentials, remote, options, signal));
    } catch (error) {
      if (signal.aborted) return interrupted(signal);
      if (!(error instanceof WinRmFailure)) throw error;
      reasons.push(error.message);
      if (error.kind !== 'no-connection') break;
    }
  }
  return { ok: false, status: 'failed', error: reasons.join(' ') };
}

async function performAt(
  url: URL,
  credentials: Credentials,
  command: RemoteCommand,
  options: PowershellOptions,
  signal: AbortSignal,
): Promise<RemoteResult> {
  const { operationTimeoutSeconds = 20, answerGraceMs = 10_000, allows } = options;
  const connection = createWinRmConnection({
    url,
    credentials,
    skipCertificateCheck: options.skipCertificateCheck,
    requestTimeoutMs: operationTimeoutSeconds * 1_000 + answerGraceMs,
    random: randomBytes,
    now: () => options.clock.now(),
    ...(allows === undefined ? {} : { allows }),
  });
  try {
    return await runRemoteCommand(connection, command, {
      url: url.href,
      operationTimeoutSeconds,
      maxOutputBytes: options.maxOutputBytes ?? 16 * 1024 * 1024,
      cleanupTimeoutMs: options.cleanupTimeoutMs ?? 5_000,
      uuid: randomUUID,
      signal,
    });
  } finally {
    await connection.close();
  }
}
