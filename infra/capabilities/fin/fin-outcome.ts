/** What became of a command, for the report. */

import type { CommandOutcome } from '../../../core/ports/capability.ts';
import type { Ending, EndingWithoutResult } from '../../fins/sent-command.ts';

export function outcomeOf(ending: Ending, fin: string, signal: AbortSignal): CommandOutcome {
  if (ending.kind === 'result') {
    const { success, state, values } = ending.result;
    if (success) return { ok: true, values, executedBy: fin };
    const error = `The fin ${fin} reported ${state === '' ? 'no state' : `the state ${state}`}.`;
    return { ok: false, status: 'failed', error, values, executedBy: fin };
  }
  return { ok: false, ...failureOf(ending, fin, signal), executedBy: fin };
}

function failureOf(
  ending: EndingWithoutResult,
  fin: string,
  signal: AbortSignal,
): Pick<Extract<CommandOutcome, { readonly ok: false }>, 'status' | 'error'> {
  switch (ending.kind) {
    case 'refused':
      return { status: 'failed', error: `The fin ${fin} refused the command.` };
    case 'silent':
      return { status: 'timeout_error', error: `The fin ${fin} did not acknowledge the command.` };
    case 'cut-off':
      return {
        status: 'server_side_error',
        error:
          `The message broker was lost while the fin ${fin} had the command; ` +
          'whether it was carried out is not known.',
      };
    case 'unsent':
      return {
        status: 'server_side_error',
        error: `The message broker does not answer; the fin ${fin} has not got the command.`,
      };
    case 'aborted':
      if (!isTimeout(signal)) return { status: 'failed', error: 'The execution was cancelled.' };
      return { status: 'timeout_error', error: timeoutTexts[ending.while](fin) };
  }
}

const timeoutTexts = {
  queueing: (fin: string) =>
    `The fin ${fin} was busy with other commands until the time of the step was up.`,
  connecting: (fin: string) =>
    `The message broker did not answer until the time of the step was up; ` +
    `the fin ${fin} has not got the command.`,
  working: (fin: string) => `The fin ${fin} did not answer until the time of the step was up.`,
} as const;

function isTimeout(signal: AbortSignal): boolean {
  return signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
}
