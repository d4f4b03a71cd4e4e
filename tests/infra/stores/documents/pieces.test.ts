import { describe, expect, test } from 'vitest';
import { LONGEST_TEXT } from '../../../../infra/stores/documents/document-table.ts';
import {
  Draft,
  PieceGone,
  readPiece,
  readPieces,
  whole,
} from '../../../../infra/stores/documents/pieces.ts';
import { MemoryDocuments } from './memory-documents.ts';

function fresh() {
  const documents = new MemoryDocuments();
  const table = documents.table('parts');
  return { documents, table, draft: new Draft(table, 'p') };
}

const large = (letter: string) => letter.repeat(600_000);

describe('a value of any size', () => {
  test('stays where it is used while it is small', async () => {
    const { documents, table, draft } = fresh();

    const piece = draft.keep({ a: 1 }, 10);
    await draft.write();

    expect(piece).toEqual({ value: { a: 1 } });
    expect(documents.all('parts')).toEqual([]);
    expect(await readPiece(table, 'p', piece)).toEqual({ a: 1 });
  });

  test('is cut into parts that fit when it is large, and comes back whole', async () => {
    const { documents, table, draft } = fresh();
    const value = { texts: [large('a'), 'ä😀\u0000\ud800'.repeat(100_000)] };

    const piece = draft.keep(value, 1_000);
    await draft.write();

    expect((await readPiece(table, 'p', piece)).texts).toEqual(value.texts);
    const sizes = documents.all('parts').map(({ text }) => text.length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LONGEST_TEXT);
  });

  test.for([0, 1, 2, 3])('is never cut within a character (%i)', async (offset) => {
    const { documents, draft } = fresh();

    draft.keep(`${'x'.repeat(offset)}${'😀'.repeat(300_000)}`, 0);
    await draft.write();

    for (const { text } of documents.all('parts')) {
      expect(Buffer.from(text).toString() === text).toBe(true);
    }
  });

  test('that is not JSON is refused', () => {
    const { draft } = fresh();

    expect(() => draft.keep(1n as never, 10)).toThrow(TypeError);
    expect(() => draft.keep(undefined as never, 10)).toThrow(TypeError);
  });
});

describe('a draft', () => {
  test('that came to nothing leaves nothing', async () => {
    const { documents, draft } = fresh();
    draft.keep(large('a'), 10);
    await draft.write();

    await draft.undo();

    expect(documents.all('parts')).toEqual([]);
  });

  test('removes what it dropped once it is done, and never writes what it dropped itself', async () => {
    const { documents, table, draft } = fresh();
    const before = draft.keep(large('a'), 10);
    await draft.write();
    const next = new Draft(table, 'p');

    next.drop(before);
    next.drop(next.keep(large('b'), 10));
    next.drop({ value: 'small' });
    const kept = next.keep(large('c'), 10);
    await next.write();
    await next.tidy();

    expect(await readPieces(table, 'p', [kept])).toEqual([large('c')]);
    expect(documents.all('parts').every(({ text }) => !/[ab]/.test(text))).toBe(true);
    await expect(readPiece(table, 'p', before)).rejects.toBeInstanceOf(PieceGone);
  });
});

describe('reading', () => {
  test('begins again when something was replaced meanwhile', async () => {
    let readings = 0;

    const answer = await whole(async () => {
      readings += 1;
      if (readings < 3) throw new PieceGone('gone');
      return 'read';
    });

    expect([answer, readings]).toEqual(['read', 3]);
  });

  test('fails when something is gone for good, and at once for other reasons', async () => {
    await expect(whole(() => Promise.reject(new PieceGone('gone')))).rejects.toThrow('gone');
    let readings = 0;
    const other = whole(async () => {
      readings += 1;
      throw new Error('other');
    });
    await expect(other).rejects.toThrow('other');
    expect(readings).toBe(1);
  });
});
