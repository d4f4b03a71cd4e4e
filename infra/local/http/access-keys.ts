/** The keys that functions with an authLevel other than `anonymous` ask for. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthLevel } from './router.ts';

export interface AccessKeys {
  /** Without configured keys nobody gets in: a closed door is the safe default. */
  opens(level: AuthLevel, key: string | undefined): boolean;
}

/** A function key opens `function`; the master key opens `admin` too. */
export function createAccessKeys(
  functionKeys: readonly string[],
  masterKey: string | undefined,
): AccessKeys {
  const master = masterKey === undefined ? [] : [masterKey];
  const keysOf: Readonly<Record<Exclude<AuthLevel, 'anonymous'>, readonly Buffer[]>> = {
    function: [...functionKeys, ...master].map(digest),
    admin: master.map(digest),
  };
  return {
    opens(level, key) {
      if (level === 'anonymous') return true;
      if (key === undefined) return false;
      const given = digest(key);
      return keysOf[level].some((known) => timingSafeEqual(known, given));
    },
  };
}

/** Equal texts only; how long it takes says nothing about where they differ. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

// Of equal length whatever the key, as the comparison needs it.
function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
