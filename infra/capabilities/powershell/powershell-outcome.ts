/**
 * What a finished script means: success is exit code 0 and nothing on the error stream. A failed script
 * hands both texts to the report.
 */

import type { CommandOutcome } from '../../../core/ports/capability.ts';
import { errorTextOf } from './clixml.ts';
import type { RemoteResult } from './wsman/remote-command.ts';

export const RESULT = '__svc_powershell_result__';
export const ERROR = '__svc_powershell_error__';

/** Characters of error output that go into the error sentence; the variable holds all of it. */
const ERROR_EXCERPT = 4_096;

export function outcomeOf({ stdout, stderr, exitCode }: RemoteResult): CommandOutcome {
  const errorText = errorTextOf(stderr);
  const values = { [RESULT]: stdout, [ERROR]: errorText };
  if (errorText.trim() !== '') return targetError(errorText, values);
  if (exitCode === 0) return { ok: true, values };
  const ended = exitCode === undefined ? 'without an exit code' : `with exit code ${exitCode}`;
  return { ok: false, status: 'failed', error: `The command ended ${ended}.`, values };
}

function targetError(text: string, values: { readonly [name: string]: string }): CommandOutcome {
  const excerpt = text.trim().slice(0, ERROR_EXCERPT);
  return { ok: false, status: 'failed', error: `The target reported an error: ${excerpt}`, values };
}

/** The playbook asks for something that cannot be done; nothing was sent. */
export function unusable(error: string): CommandOutcome {
  return { ok: false, status: 'client_side_error', error };
}

/** The end of a command whose time was up or whose execution was cancelled. */
export function interrupted({ reason }: AbortSignal): CommandOutcome {
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? {
        ok: false,
        status: 'timeout_error',
        error: 'The command was stopped: the time of the step is up.',
      }
    : {
        ok: false,
        status: 'failed',
        error: 'The command was stopped: the execution was cancelled.',
      };
}
