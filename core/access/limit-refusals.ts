/**
 * Keeps refused callers from flooding the security log: per kind of refusal and caller, the first lines
 * of a minute are written as they are; after that only the 2nd, 4th, 8th … one more, with the number of
 * lines left out. All other events pass untouched.
 */

import type { Clock } from '../ports/clock.ts';
import type { LogFields, SecurityLog } from '../ports/log.ts';

const WINDOW_MS = 60_000;
const FREE_LINES = 20;
/** Callers are known people and applications; this only bounds what is remembered of them. */
const REMEMBERED = 1000;

type Window = { readonly beganMs: number; seen: number; leftOut: number; nextLine: number };

export function limitRefusals(inner: SecurityLog, clock: Clock): SecurityLog {
  const windows = new Map<string, Window>();
  return {
    record(event, fields) {
      if (event !== 'access_refused') return inner.record(event, fields);
      const window = windowOf(windows, fields, clock.now());
      window.seen += 1;
      if (window.seen > FREE_LINES && window.seen < window.nextLine) {
        window.leftOut += 1;
        return;
      }
      if (window.seen > FREE_LINES) window.nextLine = FREE_LINES + 2 * (window.seen - FREE_LINES);
      const { leftOut } = window;
      window.leftOut = 0;
      inner.record(event, leftOut === 0 ? fields : { ...fields, leftOut });
    },
  };
}

function windowOf(windows: Map<string, Window>, fields: LogFields, nowMs: number): Window {
  const key = JSON.stringify([fields['code'], fields['caller']]);
  const present = windows.get(key);
  if (present !== undefined && nowMs - present.beganMs < WINDOW_MS) return present;
  if (windows.size >= REMEMBERED) windows.clear();
  const leftOut = present?.leftOut ?? 0;
  const fresh: Window = { beganMs: nowMs, seen: 0, leftOut, nextLine: FREE_LINES + 1 };
  windows.set(key, fresh);
  return fresh;
}
