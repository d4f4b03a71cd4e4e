/**
 * Values of any size within documents of a limited one: a small value stays where it is used, the JSON
 * text of a large one is cut into parts that are documents of their own.
 *
 * P1  A part is written once, under an id nobody else has, and never changed: whoever writes it first
 *     and refers to it afterwards leaves nothing visible in between.
 * P2  A value that was replaced takes its parts along. Who still refers to them reads again.
 */

import { randomUUID } from 'node:crypto';
import type { DocumentTable } from './document-table.ts';

export type Piece<Value> = { readonly value: Value } | { readonly parts: readonly string[] };

/** The parts of a value are gone because it was replaced meanwhile. */
export class PieceGone extends Error {
  override readonly name = 'PieceGone';
}

/** A part of a large value; small enough not to use up the throughput of a small database at once. */
const PART_CHARACTERS = 250_000;
const PARTS_AT_ONCE = 8;
const MOST_READINGS = 10;

/** Collects what a change adds and drops beside the document it changes. */
export class Draft {
  readonly #table: DocumentTable;
  readonly #partition: string;
  readonly #added = new Map<string, string>();
  readonly #dropped = new Set<string>();

  constructor(table: DocumentTable, partition: string) {
    this.#table = table;
    this.#partition = partition;
  }

  /** Throws when the value cannot be written as JSON. */
  keep<Value>(value: Value, inlineCharacters: number): Piece<Value> {
    const text = JSON.stringify(value);
    return text.length <= inlineCharacters ? { value } : { parts: this.cut(text) };
  }

  /** The ids of the parts of a text. */
  cut(text: string): readonly string[] {
    return partsOf(text).map((part) => {
      const id = `part-${randomUUID()}`;
      this.#added.set(id, part);
      return id;
    });
  }

  drop(piece: Piece<unknown> | undefined): void {
    if (piece === undefined || 'value' in piece) return;
    for (const id of piece.parts) {
      if (!this.#added.delete(id)) this.#dropped.add(id);
    }
  }

  /** To be awaited before the change refers to them. */
  async write(): Promise<void> {
    await inGroups([...this.#added], ([id, text]) =>
      this.#table.insert({ partition: this.#partition, id, text }),
    );
  }

  /** After a change that did not come about. */
  async undo(): Promise<void> {
    await inGroups([...this.#added.keys()], (id) => this.#table.remove(this.#partition, id));
  }

  /** After a change that did. */
  async tidy(): Promise<void> {
    await inGroups([...this.#dropped], (id) => this.#table.remove(this.#partition, id));
  }
}

/** The values of these pieces. Rejects with `PieceGone` when one was replaced. */
export async function readPieces<Value>(
  table: DocumentTable,
  partition: string,
  pieces: readonly Piece<Value>[],
): Promise<Value[]> {
  const ids = pieces.flatMap((piece) => ('value' in piece ? [] : piece.parts));
  const found = ids.length === 0 ? [] : await table.findAll(ids.map((id) => ({ partition, id })));
  const texts = new Map(found.map(({ id, text }) => [id, text]));
  return pieces.map((piece) =>
    'value' in piece ? piece.value : JSON.parse(joined(piece.parts, texts)),
  );
}

export async function readPiece<Value>(
  table: DocumentTable,
  partition: string,
  piece: Piece<Value>,
): Promise<Value> {
  if ('value' in piece) return piece.value;
  return JSON.parse(await readText(table, partition, piece.parts));
}

export async function readText(
  table: DocumentTable,
  partition: string,
  parts: readonly string[],
): Promise<string> {
  const found = await table.findAll(parts.map((id) => ({ partition, id })));
  return joined(parts, new Map(found.map(({ id, text }) => [id, text])));
}

function joined(parts: readonly string[], texts: ReadonlyMap<string, string>): string {
  return parts
    .map((id) => {
      const part = texts.get(id);
      if (part === undefined) throw new PieceGone(`The part ${id} is gone.`);
      return part;
    })
    .join('');
}

/** Reads again when what was read first was replaced before all of it had been read. */
export async function whole<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  for (let reading = 1; ; reading += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PieceGone) || reading === MOST_READINGS) throw error;
    }
  }
}

/** Never between the two halves of a character: they would not survive UTF-8 alone. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PART_CHARACTERS;
    const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    parts.push(text.slice(start, isSplit ? end - 1 : end));
    start = isSplit ? end - 1 : end;
  }
  return parts;
}

async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += PARTS_AT_ONCE) {
    await Promise.all(items.slice(start, start + PARTS_AT_ONCE).map(work));
  }
}
