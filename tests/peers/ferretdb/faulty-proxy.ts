/**
 * Stands between a MongoDB driver and its server and answers chosen commands itself, as a server does that
 * is too busy or breaks down. Understands OP_MSG without checksums, which is all the driver sends.
 */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** An error to answer with, or what to do with the connection: before or after the command arrives. */
export type Fault = { readonly error: Document } | { readonly cut: 'before' | 'after' };

export type FaultyProxy = {
  readonly uri: string;
  /** Asked for every command. */
  faultFor: (command: string) => Fault | undefined;
  stop(): Promise<void>;
};

const HEADER_BYTES = 16;
const OP_MSG = 2013;
const BODY_OFFSET = HEADER_BYTES + 5;

export async function startFaultyProxy(serverUri: string): Promise<FaultyProxy> {
  const target = new URL(serverUri);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    let isCutOff = false;
    upstream.on('data', (bytes) => {
      if (isCutOff) client.destroy();
      else client.write(bytes);
    });
    eachMessage(client, (message) => {
      const fault = proxy.faultFor(commandOf(message));
      if (fault === undefined) upstream.write(message);
      else if ('error' in fault) client.write(reply(message, fault.error));
      else if (fault.cut === 'before') client.destroy();
      else {
        isCutOff = true;
        upstream.write(message);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  const proxy: FaultyProxy = {
    uri: `mongodb://127.0.0.1:${address.port}`,
    faultFor: () => undefined,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}

function eachMessage(socket: Socket, handle: (message: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= HEADER_BYTES && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      handle(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
}

function commandOf(message: Buffer): string {
  if (message.readInt32LE(12) !== OP_MSG) return '';
  const length = message.readInt32LE(BODY_OFFSET);
  const body = BSON.deserialize(message.subarray(BODY_OFFSET, BODY_OFFSET + length));
  return Object.keys(body)[0] ?? '';
}

function reply(request: Buffer, document: Document): Buffer {
  const body = BSON.serialize(document);
  const header = Buffer.alloc(BODY_OFFSET);
  header.writeInt32LE(BODY_OFFSET + body.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([header, body]);
}
