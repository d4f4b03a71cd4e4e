import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCondition } from '../../../core/cacao/condition.ts';
import { evaluateCondition, type Verdict } from '../../../core/cacao/evaluate-condition.ts';

type Known = { readonly [name: string]: { readonly type: string; readonly value?: string | null } };

function decide(text: string, known: Known = {}): Verdict | string {
  const condition = parseCondition(text);
  if (condition.kind === 'condition-error') return condition.reason;
  return evaluateCondition(condition, (name) =>
    Object.hasOwn(known, name) ? known[name] : undefined,
  );
}

const yes: Verdict = { ok: true, value: true };
const no: Verdict = { ok: true, value: false };

describe('reading a condition', () => {
  test.each([
    ['', 'it is empty'],
    ['   ', 'it is empty'],
    ['a', "one comparison such as __name__:value = 'text' is expected"],
    ['a =', "one comparison such as __name__:value = 'text' is expected"],
    ['a = b AND c = d', "one comparison such as __name__:value = 'text' is expected"],
    ['a = b c', "one comparison such as __name__:value = 'text' is expected"],
    ['__flag__:value', "one comparison such as __name__:value = 'text' is expected"],
    ['a == b', '"==" is not one of = != > < >= <= IN'],
    ['a <> b', '"<>" is not one of = != > < >= <= IN'],
    ['a in b', '"in" is not one of = != > < >= <= IN'],
    ["a '=' b", '"=" is not one of = != > < >= <= IN'],
    ["[ipv4-addr:value = '10.0.0.1']", 'STIX patterns in square brackets are not supported'],
    ["'a = b", 'a quote is not closed'],
    ["'a\\n' = b", 'a quote is not closed'],
    ["'a'b = c", 'a quoted text must be followed by a blank'],
  ])('refuses %j and says why', (text, why) => {
    expect(decide(text)).toBe(`The condition ${JSON.stringify(text)} cannot be evaluated: ${why}.`);
  });

  test('takes any white space between its parts', () => {
    expect(decide("\t'a'\n =  'a'  ")).toEqual(yes);
  });

  test('never fails on any text', () => {
    const pieces = fc.constantFrom("'", '\\', ' ', '=', 'a', 'IN', '>', '__x__:value', '\n');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    const known = { __x__: { type: 'integer', value: "1 ' = \\" } };
    fc.assert(fc.property(texts, (text) => void decide(text, known)));
  });
});

describe('equality', () => {
  test('compares text', () => {
    expect(decide("'a' = 'a'")).toEqual(yes);
    expect(decide("'a' = 'b'")).toEqual(no);
    expect(decide("'a' != 'b'")).toEqual(yes);
  });

  test('ignores declared types', () => {
    expect(decide("__n__:value = '5'", { __n__: { type: 'integer', value: '05' } })).toEqual(no);
    expect(decide('__n__:value != 1', { __n__: { type: 'bool', value: 'true' } })).toEqual(yes);
  });

  test('keeps blanks and quotes inside a literal', () => {
    expect(
      decide("__x__:value = 'it\\'s  here'", { __x__: { type: 'string', value: "it's  here" } }),
    ).toEqual(yes);
  });

  test('takes a variable on either side and inside quotes', () => {
    const known = { __x__: { type: 'string', value: 'web 1' } };
    expect(decide("'web 1' = __x__:value", known)).toEqual(yes);
    expect(decide("'is web 1' = 'is __x__:value'", known)).toEqual(yes);
  });

  test('values with quotes, blanks or operators cannot break the comparison', () => {
    const known = { __x__: { type: 'string', value: "' = '" } };
    expect(decide("__x__:value = 'a'", known)).toEqual(no);
  });

  test('leaves the backslashes of a value alone', () => {
    const known = { __x__: { type: 'string', value: "C:\\'x" } };
    expect(decide("'__x__:value' = __x__:value", known)).toEqual(yes);
  });

  test('an undefined variable compares as its own name', () => {
    expect(decide("__x__:value = '__x__:value'")).toEqual(yes);
    expect(decide("__x__:value = ''")).toEqual(no);
  });

  test('a variable without value compares as the empty text', () => {
    expect(decide("__x__:value = ''", { __x__: { type: 'string' } })).toEqual(yes);
    expect(decide("__x__:value = ''", { __x__: { type: 'string', value: null } })).toEqual(yes);
  });
});

describe('ordering', () => {
  test('of integers is numeric, whatever their length', () => {
    const known = { __n__: { type: 'integer', value: '10' }, __m__: { type: 'long', value: '-3' } };
    expect(decide('__n__:value > 9', known)).toEqual(yes);
    expect(decide('9 < __n__:value', known)).toEqual(yes);
    expect(decide('__m__:value <= 99999999999999999999', known)).toEqual(yes);
  });

  test('of floats is numeric', () => {
    const known = { __n__: { type: 'float', value: '1.5e1' } };
    expect(decide('__n__:value >= 2.5', known)).toEqual(yes);
  });

  test('of strings is alphabetical, also for digits', () => {
    const known = { __n__: { type: 'string', value: '10' } };
    expect(decide('__n__:value > 9', known)).toEqual(no);
    expect(decide('10 > 9')).toEqual(no);
  });

  test('the type comes from the first variable on the left, else on the right', () => {
    const known = {
      __s__: { type: 'string', value: '10' },
      __n__: { type: 'integer', value: '9' },
    };
    expect(decide('__s__:value > __n__:value', known)).toEqual(no);
    expect(decide('__n__:value < __s__:value', known)).toEqual(yes);
  });

  test('of something that is no number is an error that hints at line breaks', () => {
    const known = { __n__: { type: 'integer', value: '9\n' } };
    expect(decide('__n__:value > 1', known)).toEqual({
      ok: false,
      reason:
        '"9\\n" is not a value of type integer (output of commands often ends with a line break)',
    });
  });
});

describe('IN', () => {
  test('finds a part of a text', () => {
    expect(decide("'see example.org now' IN 'example'")).toEqual(yes);
  });

  test.each([
    ['ipv4-addr', '10.1.2.3', '10.0.0.0/8', yes],
    ['ipv4-addr', '11.1.2.3', '10.0.0.0/8', no],
    ['ipv4-addr', '10.1.2.3', '10.1.2.3', yes],
    ['ipv6-addr', '2001:db8::1', '2001:db8::/32', yes],
    ['ipv6-addr', '2001:db9::1', '2001:db8::/32', no],
    ['ipv4-addr', '10.1.2.3', '::/0', no],
  ])('tells whether the %s %s lies in %s', (type, value, network, expected) => {
    expect(decide(`__ip__:value IN ${network}`, { __ip__: { type, value } })).toEqual(expected);
  });

  test('refuses what is no address, no network, or a number', () => {
    const known = {
      __ip__: { type: 'ipv4-addr', value: 'host' },
      __n__: { type: 'integer', value: '1' },
    };
    expect(decide('__ip__:value IN 10.0.0.0/8', known)).toMatchObject({ ok: false });
    expect(decide('__n__:value IN 1', known)).toMatchObject({ ok: false });
  });
});
