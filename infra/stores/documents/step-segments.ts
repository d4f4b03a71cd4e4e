/** Segments of the step log as documents; see the invariants of `step-log.ts`. */

import type { Document, DocumentTable } from './document-table.ts';
import { type Draft, PieceGone } from './pieces.ts';
import { COMPACT_AFTER, keptOf, type StepEntry, type StepLog } from './step-log.ts';

/** Ended records that make a segment worth its request. */
const FULL_TAIL = 8;
const SEGMENT_CHARACTERS = 200_000;
const DIGITS = 12;

type Versioned = { readonly version: number; readonly log: StepLog };

/** What a change has to write before and remove afterwards, and the log it goes on with. */
export type Flush = {
  readonly log: StepLog;
  readonly segments: readonly Document[];
  readonly outdated: readonly string[];
};

/** Rejects with `PieceGone` when the run has changed since it was read. */
export async function flush(
  table: DocumentTable,
  partition: string,
  { version, log }: Versioned,
  draft: Draft,
): Promise<Flush> {
  const ended = log.tail.filter((entry) => !entry.ongoing);
  if (ended.length < FULL_TAIL) return { log, segments: [], outdated: [] };
  const tail = log.tail.filter((entry) => entry.ongoing);
  if (log.flushed + ended.length < log.compactAt) {
    const flushed = log.flushed + ended.length;
    const segments = segmentsOf(partition, version, ended);
    return { log: { ...log, tail, flushed }, segments, outdated: [] };
  }
  const before = await readSegments(table, partition, { version, log });
  const { entries, gone, dropped } = keptOf([...before.entries, ...ended], log.dropped);
  for (const entry of gone) draft.drop(entry.record);
  const compactAt = 2 * entries.length + COMPACT_AFTER;
  return {
    log: { ...log, tail, flushed: entries.length, floor: version, compactAt, dropped },
    segments: segmentsOf(partition, version, entries),
    outdated: before.ids,
  };
}

/** Entries in the order they were written. Rejects with `PieceGone` when the run has changed since. */
export async function readSegments(
  table: DocumentTable,
  partition: string,
  { version, log }: Versioned,
): Promise<{ readonly ids: readonly string[]; readonly entries: readonly StepEntry[] }> {
  if (log.flushed === 0) return { ids: [], entries: [] };
  const range = { from: orderOf(log.floor), before: orderOf(version) };
  const documents = await table.query(partition, range);
  const entries = documents.flatMap(({ text }): StepEntry[] => JSON.parse(text));
  if (entries.length !== log.flushed) throw new PieceGone(`The steps of ${partition} have moved.`);
  return { ids: documents.map(({ id }) => id), entries };
}

function segmentsOf(
  partition: string,
  version: number,
  entries: readonly StepEntry[],
): readonly Document[] {
  const texts: string[][] = [[]];
  let size = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    if (size > 0 && size + text.length > SEGMENT_CHARACTERS) {
      texts.push([]);
      size = 0;
    }
    texts.at(-1)?.push(text);
    size += text.length;
  }
  return texts.map((lines, index) => {
    const id = `${orderOf(version)}-${String(index).padStart(4, '0')}`;
    return { partition, id, order: id, text: `[${lines.join(',')}]` };
  });
}

function orderOf(version: number): string {
  return `steps-${String(version).padStart(DIGITS, '0')}`;
}
