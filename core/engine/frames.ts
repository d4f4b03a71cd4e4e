/** Questions about the frames of a walk that need nothing but the frames. */

import type { StepId } from '../cacao/ids.ts';
import type { Frame, WalkState } from './effects.ts';

/** The steps a walk stands in, outermost first: those whose step-level variables are visible. */
export function scopeOf(state: Pick<WalkState, 'frames'>): readonly StepId[] {
  return state.frames.flatMap(({ scope, cursor }) => [
    ...(scope ?? []),
    ...(cursor === undefined ? [] : [cursor]),
  ]);
}

/** Whether the time is up; without a deadline it never is. */
export function isPast(deadlineMs: number | undefined, atMs: number): boolean {
  return deadlineMs !== undefined && deadlineMs <= atMs;
}

/** The deadline as a member to spread into another frame. */
export function deadlineOf(frame: Frame): Pick<Frame, 'deadlineMs'> {
  return frame.deadlineMs === undefined ? {} : { deadlineMs: frame.deadlineMs };
}
