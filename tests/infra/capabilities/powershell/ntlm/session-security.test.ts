import { expect, test } from 'vitest';
import { createSessionSecurity } from '../../../../../infra/capabilities/powershell/ntlm/session-security.ts';

const keys = { exportedSessionKey: Buffer.alloc(16, 0x55), keyExchange: true };

test('what the client seals the server opens, message after message', () => {
  const client = createSessionSecurity('client', keys);
  const server = createSessionSecurity('server', keys);

  const opened = ['first', 'second', 'third'].map((text) =>
    server.open(client.seal(Buffer.from(text))),
  );

  expect(opened.map(String)).toEqual(['first', 'second', 'third']);
});

test('what the server answers the client opens', () => {
  const client = createSessionSecurity('client', keys);
  const server = createSessionSecurity('server', keys);

  expect(client.open(server.seal(Buffer.from('answer')))?.toString()).toBe('answer');
});

test('an altered message is not opened', () => {
  const sealed = createSessionSecurity('client', keys).seal(Buffer.from('rule 1'));
  sealed.ciphertext[5] = (sealed.ciphertext[5] ?? 0) ^ 1;

  expect(createSessionSecurity('server', keys).open(sealed)).toBeUndefined();
});

test('a message sent twice is opened once', () => {
  const sealed = createSessionSecurity('client', keys).seal(Buffer.from('once'));
  const server = createSessionSecurity('server', keys);

  expect(server.open(sealed)?.toString()).toBe('once');
  expect(server.open(sealed)).toBeUndefined();
});
