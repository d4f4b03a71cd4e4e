/** A TCP server that answers with whatever bytes a test writes: what no HTTP server would send. */

import { type AddressInfo, createServer, type Socket } from 'node:net';

export type RawPeer = {
  readonly port: number;
  /** Resolves with the first connection once something was received on it. */
  readonly asked: Promise<Socket>;
  readonly connections: () => number;
  /** Resolves when the first connection has ended. */
  readonly hungUp: Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startRawPeer(answer: (socket: Socket) => void = () => {}): Promise<RawPeer> {
  const asked = Promise.withResolvers<Socket>();
  const hungUp = Promise.withResolvers<void>();
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      hungUp.resolve();
    });
    socket.once('data', () => {
      answer(socket);
      asked.resolve(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked: asked.promise,
    connections: () => connections,
    hungUp: hungUp.promise,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
