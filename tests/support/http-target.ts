/** A real HTTP server on the loopback that records what it receives and answers as it is told. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reaction = {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Holds the answer back until this resolves. */
  readonly after?: Promise<unknown>;
};

export type HttpTarget = {
  /** Without trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  close(): Promise<void>;
};

export async function startHttpTarget(
  react: (request: Received) => Reaction = () => ({}),
): Promise<HttpTarget> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const record = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(record);
    const reaction = react(record);
    await reaction.after;
    response.writeHead(reaction.status ?? 200, { ...reaction.headers });
    response.end(reaction.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
