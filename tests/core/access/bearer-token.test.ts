import { expect, test } from 'vitest';
import { AUTHORIZATION_LIMIT, bearerToken } from '../../../core/access/bearer-token.ts';
import { Refusal } from '../../../core/errors/refusal.ts';

function refusalOf(authorization: string | undefined): readonly (string | undefined)[] {
  try {
    bearerToken(authorization);
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.extra.headers?.['www-authenticate']];
    throw error;
  }
  return [];
}

const absent = ['unauthenticated', 'Bearer'];
const invalid = ['token-invalid', 'Bearer error="invalid_token"'];

test.each(['Bearer a.b.c', 'bearer a.b.c', 'BEARER   a.b.c', ' Bearer a.b.c '])(
  'the scheme is found whatever its case and blanks: %j',
  (authorization) => {
    expect(bearerToken(authorization)).toBe('a.b.c');
  },
);

test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'a.b.c', 'Bearera.b.c'])(
  'no bearer token, no service: %j',
  (authorization) => {
    expect(refusalOf(authorization)).toEqual(absent);
  },
);

test.each(['Bearer opaque', 'Bearer a.b', 'Bearer a.b.c.d.e', 'Bearer a.b.c d', 'Bearer ä.b.c'])(
  'what is no signed JSON web token is an invalid one: %j',
  (authorization) => {
    expect(refusalOf(authorization)).toEqual(invalid);
  },
);

test('a huge token is refused before anybody looks into it', () => {
  const fits = `Bearer a.${'b'.repeat(AUTHORIZATION_LIMIT - 'Bearer a..c'.length)}.c`;

  expect(bearerToken(fits)).toHaveLength(AUTHORIZATION_LIMIT - 'Bearer '.length);
  expect(refusalOf(`${fits}c`)).toEqual(invalid);
});
