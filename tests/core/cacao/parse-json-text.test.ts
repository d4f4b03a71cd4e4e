import { describe, expect, test } from 'vitest';
import { NESTING_LIMIT } from '../../../core/cacao/json-shape.ts';
import { parseJsonText } from '../../../core/cacao/parse-json-text.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('the text of a body', () => {
  test('is read as JSON', () => {
    expect(parseJsonText(' {"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  test('may begin with a byte order mark', () => {
    expect(parseJsonText('\uFEFF[]')).toEqual({ ok: true, value: [] });
  });

  test('must not be empty', () => {
    expect(parseJsonText(' \n')).toEqual({ ok: false, code: 'body-empty' });
    expect(parseJsonText('\uFEFF')).toEqual({ ok: false, code: 'body-empty' });
  });

  test('must be JSON', () => {
    expect(parseJsonText('{a}')).toEqual({ ok: false, code: 'body-not-json' });
  });

  test('may be nested to the limit and not deeper', () => {
    expect(parseJsonText(nested(NESTING_LIMIT))).toMatchObject({ ok: true });
    expect(parseJsonText(nested(NESTING_LIMIT + 1))).toEqual({ ok: false, code: 'body-too-deep' });
    expect(parseJsonText(nested(1_000_000))).toEqual({ ok: false, code: 'body-too-deep' });
  });
});
