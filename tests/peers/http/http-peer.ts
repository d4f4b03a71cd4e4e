/** A real HTTP or HTTPS server on the loopback that keeps what it was asked, word for word. */

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { certificate, privateKey } from '../winrm/certificate.ts';

export type SeenRequest = {
  readonly method: string;
  /** The request target as it stood on the wire. */
  readonly url: string;
  /** Name and value of every header line, in order, undecoded. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
};

export type Answer = {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  readonly body?: string | Uint8Array;
};

export type HttpPeer = {
  readonly port: number;
  readonly requests: SeenRequest[];
  /** Connections made so far, and those open now. */
  readonly connections: () => { readonly made: number; readonly open: number };
  /** Resolves when no connection is open. */
  readonly allClosed: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PeerOptions = {
  readonly tls?: boolean;
  /** Default 127.0.0.1. */
  readonly host?: string;
};

/** Answers every request with what `answer` makes of it. */
export async function startHttpPeer(
  answer: (request: SeenRequest) => Answer | Promise<Answer>,
  { tls = false, host = '127.0.0.1' }: PeerOptions = {},
): Promise<HttpPeer> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (incoming, outgoing) => {
    void readAll(incoming).then(async (body) => {
      const seen = { ...startOf(incoming), body };
      requests.push(seen);
      const { status = 200, headers = {}, body: sent = '' } = await answer(seen);
      for (const [name, value] of Object.entries(headers)) {
        outgoing.setHeader(name, value as string | string[]);
      }
      outgoing.statusCode = status;
      outgoing.end(sent);
    });
  };
  const server = tls
    ? createTlsServer({ cert: certificate, key: privateKey }, listener)
    : createServer(listener);
  // Half-open or malformed traffic must not end the test process.
  server.on('clientError', (_error, socket) => socket.destroy());
  const sockets = trackSockets(server, tls);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => ({ made: sockets.made(), open: sockets.open.size }),
    allClosed: () => sockets.allClosed(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The values of one header, in the order they came. */
export function valuesOf(request: SeenRequest | undefined, name: string): string[] {
  return (request?.lines ?? []).flatMap(([given, value]) =>
    given.toLowerCase() === name.toLowerCase() ? [value] : [],
  );
}

function trackSockets(server: Server, tls: boolean) {
  const open = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let made = 0;
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    made += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  });
  const allClosed = () =>
    open.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve));
  return { open, made: () => made, allClosed };
}

function startOf(incoming: IncomingMessage): Omit<SeenRequest, 'body'> {
  const { rawHeaders } = incoming;
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { method: incoming.method ?? '', url: incoming.url ?? '', lines };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}
