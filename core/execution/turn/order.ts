/**
 * What a turn tells the durable driver to do. Orders hold ids, numbers and status codes only, because
 * durable history keeps them.
 */

import { createHash } from 'node:crypto';
import type { ExecutionId, WalkId } from '../ids.ts';
import { mainWalk } from '../ids.ts';
import type { Status, WalkRecord } from '../run.ts';

/** Where a driver stands; the input of an orchestration and of every turn. */
export type Place = {
  readonly execution: ExecutionId;
  readonly walk: WalkId;
  readonly turn: number;
};

export type Order =
  /** Take the next turn at once. */
  | { readonly do: 'turn'; readonly turn: number }
  /** Take the turn after so long, or when woken. */
  | { readonly do: 'wait'; readonly turn: number; readonly forMs: number }
  /** Run these orchestrations to their end, then take the turn. */
  | { readonly do: 'join'; readonly turn: number; readonly places: readonly StartPlace[] }
  | { readonly do: 'finish'; readonly status: Status };

export type StartPlace = { readonly instanceId: string; readonly place: Place };

/** A lost wake-up costs at most this long, because every turn asks the store. */
export const longestWaitMs = 3_600_000;

/** What the effect the walk stands at means for the driver. */
export function orderFor(execution: ExecutionId, walk: WalkRecord, nowMs: number): Order {
  const { effect, turn, memo } = walk;
  if (memo?.refused !== undefined) return { do: 'turn', turn };
  switch (effect.kind) {
    case 'run':
      return { do: 'turn', turn };
    case 'ask':
      return waitUntil(turn, memo?.askDeadlineMs ?? nowMs, nowMs);
    case 'sleep':
      return effect.forMs === 0 ? { do: 'turn', turn } : waitUntil(turn, sleptUntil(walk), nowMs);
    case 'child': {
      const child = memo?.child?.executionId;
      if (child === undefined) throw new Error('A child effect without a child.');
      return { do: 'join', turn, places: [startPlace(child, mainWalk)] };
    }
    case 'fork':
      return {
        do: 'join',
        turn,
        places: (memo?.branches ?? []).map((id) => startPlace(execution, id)),
      };
    case 'finish':
      return { do: 'finish', status: effect.outcome.status };
  }
}

/** Until when the step under the cursor sleeps its delay. */
export function sleptUntil(walk: WalkRecord): number {
  const stage = walk.state.frames.at(-1)?.stage;
  return stage?.at === 'delayed' ? stage.untilMs : 0;
}

export function waitUntil(turn: number, untilMs: number, nowMs: number): Order {
  return { do: 'wait', turn, forMs: Math.min(longestWaitMs, Math.max(1, untilMs - nowMs)) };
}

/** The orchestration that walks this walk; the same whoever asks. */
export function instanceIdOf(execution: ExecutionId, walk: WalkId): string {
  if (walk === mainWalk) return execution;
  const id = `${execution}.${walk}`;
  // Instance ids are limited to 100 characters; deeply nested branches are longer.
  if (id.length <= 100) return id;
  return `${execution}.${createHash('sha256').update(walk).digest('hex').slice(0, 40)}`;
}

function startPlace(execution: ExecutionId, walk: WalkId): StartPlace {
  return { instanceId: instanceIdOf(execution, walk), place: { execution, walk, turn: 0 } };
}
