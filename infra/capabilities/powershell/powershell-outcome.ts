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
  return { ok: false, status: 'failed', error: `the command ended ${ended}`, values };
}

function targetError(text: string, values: { readonly [name: string]: string }): CommandOutcome {
  const excerpt = text.trim().slice(0, ERROR_EXCERPT);
  return { ok: false, status: 'failed', error: `the target reported an error: ${excerpt}`, values };
}
