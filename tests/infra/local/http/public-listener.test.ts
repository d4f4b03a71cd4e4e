import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listenPublicly } from '../../../../infra/local/http/public-listener.ts';

const open: { close(): unknown; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function aListener(address?: string) {
  const listener = await listenPublicly({ port: 0, address, tls: undefined }, () => undefined);
  open.push(listener.server);
  return listener;
}

describe('the public port', () => {
  test('limits how slowly a request may arrive, not how long its answer may take', async () => {
    const { server } = await aListener();

    expect(server.headersTimeout).toBe(20_000);
    expect(server.requestTimeout).toBe(300_000);
    expect(server.timeout).toBe(0);
  });

  test('is open on every address unless one is named', async () => {
    const everywhere = await aListener();
    const nearby = await aListener('127.0.0.1');

    expect(['::', '0.0.0.0']).toContain(addressOf(everywhere.server));
    expect(addressOf(nearby.server)).toBe('127.0.0.1');
  });

  test('refuses an address that is not of this machine', async () => {
    const listening = listenPublicly(
      { port: 0, address: '192.0.2.1', tls: undefined },
      () => undefined,
    );

    await expect(listening).rejects.toThrow(
      'Cannot listen on port 0 of 192.0.2.1: this machine has no such address.',
    );
  });

  test('answers headers that are too large with the error object', async () => {
    const { port } = await aListener('127.0.0.1');
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`);

    const answer = Buffer.concat(await socket.toArray()).toString();

    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      status: '431',
      message: 'The headers of the request are too large.',
    });
  });
});

function addressOf(server: { address(): unknown }): unknown {
  const address = server.address();
  return typeof address === 'object' && address !== null && 'address' in address
    ? address.address
    : undefined;
}
