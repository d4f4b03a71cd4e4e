import { expect, test } from 'vitest';
import { writeSetCookie } from '../../../../infra/local/http/set-cookie.ts';

test('a cookie is written with all its attributes', () => {
  const header = writeSetCookie({
    name: 'session',
    value: 'a b;c',
    domain: { value: 'soc.example' },
    path: { value: '/console' },
    expires: { value: { seconds: 1_800_000_000 } },
    maxAge: { value: 60 },
    secure: { value: true },
    httpOnly: { value: true },
    sameSite: 'explicitNone',
  });

  expect(header).toBe(
    'session=a%20b%3Bc; Domain=soc.example; Path=/console; Expires=Fri, 15 Jan 2027 08:00:00 GMT; Max-Age=60; Secure; HttpOnly; SameSite=None',
  );
});

test('attributes that are not given are not written', () => {
  expect(writeSetCookie({ name: 'a', value: '1', sameSite: 'none', maxAge: null })).toBe('a=1');
});

test('a path cannot smuggle in another attribute or header', () => {
  expect(
    writeSetCookie({ name: 'a', value: '1', path: { value: '/x; Domain=evil\r\nX: 1' } }),
  ).toBe('a=1; Path=/x Domain=evilX: 1');
});
