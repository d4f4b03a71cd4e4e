/** Why a command could not be run at all, for the report. */

import type { FailureStatus } from '../../../core/execution/run.ts';

export type SshFailure = {
  readonly status: FailureStatus;
  /** A sentence without secrets. */
  readonly reason: string;
};

const longestText = 500;

/** Text a server sent us, fit to stand within a sentence: one line of bounded length. */
export function quoteServer(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').replace(/^ |[ .]+$/g, '');
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}
