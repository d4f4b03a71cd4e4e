/**
 * Keeps the servers that a library opens on the loopback. In streaming mode `@azure/functions` opens
 * one without naming an address, which would be every address of the machine; only this host needs it.
 */

import { Server } from 'node:net';

/** While `work` runs, a server that would listen on every address listens on 127.0.0.1. */
export async function createLoopbackServers<Value>(work: () => Promise<Value>): Promise<Value> {
  const listen = Server.prototype.listen;
  Reflect.set(Server.prototype, 'listen', function listenNearby(this: Server, ...args: unknown[]) {
    return Reflect.apply(listen, this, namesNoAddress(args) ? withLoopback(args) : args);
  });
  try {
    return await work();
  } finally {
    Server.prototype.listen = listen;
  }
}

// listen(port?, host?, backlog?, callback?); a path or an options object comes first otherwise.
function namesNoAddress([first, second]: readonly unknown[]): boolean {
  const startsWithPort = ['undefined', 'number', 'function'].includes(typeof first);
  return startsWithPort && typeof second !== 'string';
}

function withLoopback(args: readonly unknown[]): unknown[] {
  const port = typeof args[0] === 'number' ? args[0] : 0;
  return [port, '127.0.0.1', ...args.filter((argument) => typeof argument === 'function')];
}
