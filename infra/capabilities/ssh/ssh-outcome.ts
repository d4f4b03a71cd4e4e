/** Tells how a remote command ended in the words of the execution report. */

import type { CommandOutcome } from '../../../core/ports/capability.ts';
import type { Leftover, RemoteResult } from './run-remote-command.ts';
import { endpointName, type SshEndpoint } from './ssh-connection.ts';

const RESULT = '__svc_ssh_result__';

export type Limits = { readonly maxOutputBytes: number; readonly signal: AbortSignal };

export function outcomeOf(
  result: RemoteResult,
  endpoint: SshEndpoint,
  { maxOutputBytes, signal }: Limits,
): CommandOutcome {
  const command = `The command at ${endpointName(endpoint)}`;
  switch (result.kind) {
    case 'exited': {
      const values = { [RESULT]: result.stdout };
      if (result.status === 0) return { ok: true, values };
      return { ...failed(`${command} ${ending(result.status, result.stderr.trim())}`), values };
    }
    case 'lost':
      return failed(`${command} failed: ${result.reason}.`);
    case 'flooded':
      return failed(
        `${command} wrote more than ${maxOutputBytes} bytes; ${leftovers[result.left]}.`,
      );
    case 'stopped':
      return isTimeUp(signal)
        ? late(
            `${command} was not done before the time of the step was up; ${leftovers[result.left]}.`,
          )
        : failed(`${command} was cancelled; ${leftovers[result.left]}.`);
  }
}

/** The step ended before its command began. */
export function notBegun(signal: AbortSignal): CommandOutcome {
  return isTimeUp(signal)
    ? late('The command was not begun before the time of the step was up.')
    : failed('The command was cancelled before it began.');
}

const leftovers: { readonly [left in Leftover]: string } = {
  nothing: 'it was ended',
  command: 'it did not react and may still run',
  descendants: 'it had ended, but what it started kept its output open and may still run',
};

function ending(status: number | string, stderr: string): string {
  const how = typeof status === 'number' ? `ended with status ${status}` : `was ended by ${status}`;
  return stderr === '' ? `${how}.` : `${how}: ${stderr}`;
}

function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function failed(error: string): CommandOutcome & { readonly ok: false } {
  return { ok: false, status: 'failed', error };
}

function late(error: string): CommandOutcome {
  return { ok: false, status: 'timeout_error', error };
}
