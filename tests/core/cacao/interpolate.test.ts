import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpolate, possibleNames } from '../../../core/cacao/interpolate.ts';

const known: { readonly [name: string]: string } = {
  __host__: 'web-1',
  __empty__: '',
  __nested__: '__host__:value',
  __a__b__: 'long',
  __b__: 'short',
  '__should.execute.true__': 'yes',
};
const lookup = (name: string) => (Object.hasOwn(known, name) ? known[name] : undefined);

describe('interpolation', () => {
  test('replaces every occurrence of a known variable', () => {
    expect(interpolate('ping __host__:value # __host__:value', lookup)).toBe('ping web-1 # web-1');
  });

  test('leaves undefined variables as they are', () => {
    expect(interpolate('a __other__:value b', lookup)).toBe('a __other__:value b');
  });

  test('inserts nothing for a variable without value', () => {
    expect(interpolate('[__empty__:value]', lookup)).toBe('[]');
  });

  test('does not look at inserted values again', () => {
    expect(interpolate('__nested__:value', lookup)).toBe('__host__:value');
  });

  test('needs the word value behind the name', () => {
    expect(interpolate('__host__ __host__:val', lookup)).toBe('__host__ __host__:val');
  });

  test('replaces a name in the middle of other text', () => {
    expect(interpolate('http://__host__:value:80/___host__:values', lookup)).toBe(
      'http://web-1:80/_web-1s',
    );
  });

  test('takes the longest known name', () => {
    expect(interpolate('__a__b__:value __x__b__:value', lookup)).toBe('long __xshort');
  });

  test('accepts the dots of names that capabilities return', () => {
    expect(interpolate('__should.execute.true__:value', lookup)).toBe('yes');
  });

  test('does not take names the language itself knows for variables', () => {
    expect(interpolate('__proto__:value', lookup)).toBe('__proto__:value');
  });

  test('stays linear on hostile text', () => {
    const started = performance.now();
    interpolate(`${'_'.repeat(250)}:value`.repeat(4_000), lookup);
    interpolate(`${'_'.repeat(1_000_000)}:value`, lookup);

    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('lists the names a text may mean, longest first', () => {
    expect(possibleNames('x __a__b__:value __host__:value')).toEqual([
      ['__a__b__', '__b__'],
      ['__host__'],
    ]);
  });

  test('keeps any text when nothing is known, and never fails', () => {
    const pieces = fc.constantFrom('_', '__', ':value', 'a', ':', ' ', '__x__', '\u{1F600}');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(interpolate(text, () => undefined)).toBe(text);
      }),
    );
  });

  test('equals plain replacement when only one variable is known', () => {
    const pieces = fc.constantFrom('__x__', ':value', '_', ' ', 'y', '__');
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        const one = (name: string) => (name === '__x__' ? '!' : undefined);
        expect(interpolate(text, one)).toBe(text.replaceAll('__x__:value', '!'));
      }),
    );
  });
});
