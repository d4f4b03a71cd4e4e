/** What an answer, or the lack of one, means for the command. */

import { STATUS_CODES } from 'node:http';
import type { CommandOutcome } from '../../../core/ports/capability.ts';
import { type HttpAnswer, isSuccess } from './http-exchange.ts';

/** Names of the variables a command returns. */
export type ResultNames = {
  readonly body: string;
  /** Returned only when the step asks for them in out_args. */
  readonly status: string;
  readonly headers: string;
};

/** How much of a refusal's body is reported. */
const SHOWN_BYTES = 1_024;

export type Expected = {
  readonly names: ResultNames;
  readonly outArgs: readonly string[];
  readonly limitBytes: number;
};

export function outcomeOf(answer: HttpAnswer, expected: Expected): CommandOutcome {
  const { names, outArgs, limitBytes } = expected;
  if (!isSuccess(answer.status)) return failed(refusalOf(answer));
  if (!answer.body.whole) {
    return failed(`The answer is larger than ${sizeOf(limitBytes)}; it was not read to its end.`);
  }
  const extras = {
    [names.status]: String(answer.status),
    [names.headers]: JSON.stringify(answer.headers),
  };
  const asked = Object.entries(extras).filter(([name]) => outArgs.includes(name));
  // Invalid UTF-8 is replaced, byte by byte, with U+FFFD.
  return {
    ok: true,
    values: { [names.body]: answer.body.bytes.toString('utf8'), ...Object.fromEntries(asked) },
  };
}

function refusalOf({ status, body }: HttpAnswer): string {
  // Streaming mode leaves out a character that the cut has split.
  const shown = new TextDecoder().decode(body.bytes.subarray(0, SHOWN_BYTES), { stream: true });
  if (shown.trim() !== '') return `HTTP ${status} ${shown.trim()}`;
  const hint = status < 400 ? 'redirects are not followed' : (STATUS_CODES[status] ?? '');
  return `HTTP ${status} ${hint}`.trim();
}

export function interrupted(endpoint: string, signal: AbortSignal): CommandOutcome {
  const timedOut = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  if (!timedOut) return failed(`The request to ${endpoint} was cancelled.`);
  const error = `The request to ${endpoint} was not answered before the time of the step was up.`;
  return { ok: false, status: 'timeout_error', error };
}

export function failed(error: string): CommandOutcome {
  return { ok: false, status: 'failed', error };
}

export function unusable(error: string): CommandOutcome {
  return { ok: false, status: 'client_side_error', error };
}

function sizeOf(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`;
}
