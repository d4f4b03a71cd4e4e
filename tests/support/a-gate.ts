/** A way to a loopback port that can be shut for some while others go straight. */

import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Gate = {
  readonly port: number;
  /** Cuts all connections, and every new one at once. */
  shut(): void;
  open(): void;
};

export async function aGateTo(port: number): Promise<Gate> {
  let isOpen = true;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    if (!isOpen) {
      from.destroy();
      return;
    }
    const to = connect(port, '127.0.0.1');
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    shut();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    shut,
    open: () => {
      isOpen = true;
    },
  };
}
