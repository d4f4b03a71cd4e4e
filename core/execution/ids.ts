/** Ids of the execution room, branded so that one cannot be passed as another. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A UUID (version 4) naming one execution. */
export type ExecutionId = Branded<'ExecutionId'>;

/**
 * Names one walk of an execution: `w` is the main one; the concurrent branches forked by walk `w` at
 * its turn 7 are `w.7-0`, `w.7-1`. A walk reads the variables of all walks its id begins with.
 */
export type WalkId = Branded<'WalkId'>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Answers undefined for anything but a UUID. */
export function parseExecutionId(text: string): ExecutionId | undefined {
  return uuid.test(text) ? (text.toLowerCase() as ExecutionId) : undefined;
}

export const mainWalk = 'w' as WalkId;

export function branchWalk(parent: WalkId, turn: number, branch: number): WalkId {
  return `${parent}.${turn}-${branch}` as WalkId;
}

/** The walk and all it was forked from, outermost first. */
export function walkLineage(walkId: WalkId): readonly WalkId[] {
  const parts = walkId.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.') as WalkId);
}
