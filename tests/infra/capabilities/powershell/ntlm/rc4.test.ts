import { expect, test } from 'vitest';
import { createRc4 } from '../../../../../infra/capabilities/powershell/ntlm/rc4.ts';

test('the key stream of RC4 is the one printed in RFC 6229', () => {
  const stream = createRc4(Buffer.from('0102030405', 'hex'))(Buffer.alloc(32));

  expect(stream.toString('hex')).toBe(
    'b2396305f03dc027ccc3524a0a1118a86982944f18fc82d589c403a47a0d0919',
  );
});

test('a message in two pieces is encrypted like the message in one', () => {
  const key = Buffer.from('secret');
  const pieces = createRc4(key);

  const joined = Buffer.concat([pieces(Buffer.from('first ')), pieces(Buffer.from('second'))]);

  expect(joined).toEqual(createRc4(key)(Buffer.from('first second')));
});
