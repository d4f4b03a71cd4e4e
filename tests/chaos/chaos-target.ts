/** What chaos playbooks act on: answers by what it is asked alone, after a while that depends on it too. */

import { setTimeout as delay } from 'node:timers/promises';
import { type HttpTarget, type Reaction, startHttpTarget } from '../support/http-target.ts';

export type ChaosTarget = HttpTarget & {
  /** How often each command arrived, by its text; of those after the first `from` only. */
  arrivals(from?: number): ReadonlyMap<string, number>;
};

const LONGEST_MS = 40;

export async function startChaosTarget(): Promise<ChaosTarget> {
  const target = await startHttpTarget(({ url }) => ({
    ...reactionTo(url),
    after: delay(waitFor(url)),
  }));
  return {
    ...target,
    arrivals(from = 0) {
      const counts = new Map<string, number>();
      for (const { method, url } of target.received.slice(from)) {
        const text = `${method} ${url} HTTP/1.1`;
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      return counts;
    },
  };
}

function reactionTo(url: string): Reaction {
  if (url.endsWith('/fail')) return { status: 500, body: 'refused' };
  const turn = /turn-of-(\w+)\?after=(?:\1-(\d+))?/.exec(url);
  if (turn !== null) return { body: `${turn[1]}-${Number(turn[2] ?? 0) + 1}` };
  return { body: `done-${url.split('/').slice(2).join('-')}` };
}

function waitFor(url: string): number {
  return (
    [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7) % LONGEST_MS
  );
}
