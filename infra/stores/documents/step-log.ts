/**
 * The records of a run's steps. New ones join a short tail within the run's own document; ended ones leave
 * it in groups, as segments: documents that are never changed.
 *
 * L1  Which records leave, and in which segments, depends on the run as it was before a change alone. So
 *     everybody who tries to change that version writes the same segments, and one that was written in
 *     vain is written again, the same, by whoever succeeds.
 * L2  A segment counts when its version lies below the run's own and not below the floor.
 * L3  When a run has outgrown what it keeps twice, its segments are read once, and written again without
 *     the records that had to make room. So writing costs the same however long a run is.
 */

import type { StepId } from '../../../core/cacao/ids.ts';
import type { StepRecord } from '../../../core/execution/run.ts';
import { KEPT_PER_STEP } from '../run-rules.ts';
import type { Draft, Piece } from './pieces.ts';

export type StepEntry = {
  /** Grows with every record that is new to the run. */
  readonly position: number;
  readonly invocation: string;
  readonly stepId: StepId;
  readonly ongoing: boolean;
  readonly record: Piece<StepRecord>;
};

export type StepLog = {
  /** The position of the next new record. */
  readonly next: number;
  readonly tail: readonly StepEntry[];
  /** How many entries the segments hold. */
  readonly flushed: number;
  /** Segments of older versions of the run do not count any more. */
  readonly floor: number;
  /** At how many entries the segments are written again. */
  readonly compactAt: number;
  /** How many records of a step had to make room so far. */
  readonly dropped: readonly (readonly [StepId, number])[];
};

/** A longer record leaves the document it is in. */
const INLINE_RECORD = 8_000;
export const COMPACT_AFTER = 256;

export const emptyLog: StepLog = {
  next: 0,
  tail: [],
  flushed: 0,
  floor: 0,
  compactAt: COMPACT_AFTER,
  dropped: [],
};

/** A record of the tail is replaced where it stands. */
export function writeStep(log: StepLog, record: StepRecord, draft: Draft): StepLog {
  const { invocation, stepId, status } = record;
  const known = log.tail.find((entry) => entry.invocation === invocation);
  draft.drop(known?.record);
  const entry: StepEntry = {
    position: known?.position ?? log.next,
    invocation,
    stepId,
    ongoing: status === 'ongoing',
    record: draft.keep(record, INLINE_RECORD),
  };
  if (known !== undefined) {
    return { ...log, tail: log.tail.map((one) => (one === known ? entry : one)) };
  }
  return { ...log, next: log.next + 1, tail: [...log.tail, entry] };
}

export function writeSteps(log: StepLog, records: readonly StepRecord[], draft: Draft): StepLog {
  let written = log;
  for (const record of records) written = writeStep(written, record, draft);
  return written;
}

export type Kept = {
  /** In order of their first write. */
  readonly entries: readonly StepEntry[];
  readonly gone: readonly StepEntry[];
  /** How often each step was invoked in all. */
  readonly counts: ReadonlyMap<StepId, number>;
  readonly dropped: StepLog['dropped'];
};

/** What is kept of these entries, given in the order they were written. */
export function keptOf(written: readonly StepEntry[], before: StepLog['dropped']): Kept {
  const { entries, replaced } = merged(written);
  const dropped = new Map(before);
  const counts = new Map<StepId, number>();
  const kept: StepEntry[] = [];
  const gone: StepEntry[] = [...replaced];
  for (const [stepId, ofStep] of Map.groupBy(entries, (entry) => entry.stepId)) {
    counts.set(stepId, (dropped.get(stepId) ?? 0) + ofStep.length);
    const room = Math.max(0, ofStep.length - KEPT_PER_STEP);
    const leaving = ofStep.slice(0, room).filter((entry) => !entry.ongoing);
    if (leaving.length > 0) dropped.set(stepId, (dropped.get(stepId) ?? 0) + leaving.length);
    const left = new Set(leaving);
    gone.push(...leaving);
    kept.push(...ofStep.filter((entry) => !left.has(entry)));
  }
  return { entries: kept.sort(byPosition), gone, counts, dropped: [...dropped] };
}

/** The last record of every invocation, at the place of its first. */
function merged(written: readonly StepEntry[]) {
  const known = new Map<string, StepEntry>();
  const replaced: StepEntry[] = [];
  for (const entry of written) {
    const first = known.get(entry.invocation);
    if (first !== undefined) replaced.push(first);
    known.set(
      entry.invocation,
      first === undefined ? entry : { ...entry, position: first.position },
    );
  }
  return { entries: [...known.values()].sort(byPosition), replaced };
}

function byPosition(left: StepEntry, right: StepEntry): number {
  return left.position - right.position;
}
