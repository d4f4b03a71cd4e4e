/** The Prefer header (RFC 7240): whether and how long a trigger call waits for the end of its execution. */

import { Refusal } from '../../core/errors/refusal.ts';

export type Preference = {
  /** Longest wait in milliseconds; undefined means to the end. */
  readonly waitMs?: number;
  /** For the Preference-Applied header. */
  readonly applied?: string;
};

/** Unknown preferences are ignored, as the RFC asks. Refuses with `header-invalid`. */
export function readPreference(header: string | undefined): Preference {
  const preferences = (header ?? '').split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  const wait = preferences.find((part) => /^wait\s*=/i.test(part));
  const isAsync = preferences.some((part) => part.toLowerCase() === 'respond-async');
  if (wait === undefined) return isAsync ? { waitMs: 0, applied: 'respond-async' } : {};
  const seconds = wait
    .slice(wait.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  if (!/^\d{1,9}$/.test(seconds)) {
    throw new Refusal('header-invalid', 'Prefer', 'wait takes a number of seconds');
  }
  const applied = isAsync ? `respond-async, wait=${seconds}` : `wait=${seconds}`;
  return { waitMs: Number(seconds) * 1000, applied };
}
