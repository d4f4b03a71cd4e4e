/** Why something about ssh did not work, as it will stand in the report. Never holds a secret. */

import type { FailureStatus } from '../../../core/execution/run.ts';

export type SshFailure = {
  readonly status: FailureStatus;
  readonly reason: string;
};

const longestText = 500;

/** Text a server sent us, fit for a report: one line of bounded length. */
export function quoteServer(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}
