/** Tells how a remote command ended in the words of the execution report. */

import type { CommandOutcome } from '../../../core/ports/capability.ts';
import type { Leftover, RemoteResult } from './run-remote-command.ts';
import { endpointName, type SshEndpoint } from './ssh-connection.ts';

const RESULT = '__svc_ssh_result__';

export type Limits = { readonly maxOutputBytes: number; readonly signal: AbortSignal };

export function outcomeOf(
  result: RemoteResult,
  endpoint: SshEndpoint,
  limits: Limits,
): CommandOutcome {
  const at = endpointName(endpoint);
  switch (result.kind) {
    case 'exited':
      return result.status === 0
        ? { ok: true, values: { [RESULT]: result.stdout } }
        : {
            ...failed(endedBadly(at, result.status, result.stderr)),
            values: { [RESULT]: result.stdout },
          };
    case 'lost':
      return failed(`${at}: ${result.reason}`);
    case 'flooded':
      return failed(
        `${at}: the command wrote more than ${limits.maxOutputBytes} bytes; ${leftovers[result.left]}`,
      );
    case 'stopped':
      return givenUp(limits.signal, `${at}: ${leftovers[result.left]}`);
  }
}

/** The end of a command whose time was up or whose execution was cancelled. */
export function givenUp(signal: AbortSignal, what: string): CommandOutcome {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? { ok: false, status: 'timeout_error', error: `the time of the step is up; ${what}` }
    : failed(`cancelled; ${what}`);
}

const leftovers: { readonly [left in Leftover]: string } = {
  nothing: 'the command was ended',
  command: 'the command did not react and may still run',
  descendants: 'the command had ended, but what it started kept its output open and may still run',
};

function endedBadly(at: string, status: number | string, stderr: string): string {
  const how = typeof status === 'number' ? `ended with status ${status}` : `was ended by ${status}`;
  return stderr.trim() === ''
    ? `${at}: the command ${how}`
    : `${at}: the command ${how}: ${stderr.trim()}`;
}

function failed(error: string): CommandOutcome & { readonly ok: false } {
  return { ok: false, status: 'failed', error };
}
