/**
 * A server that speaks the protocol of Cosmos DB for NoSQL, in this process, on a free loopback port. It
 * can be cut off and put back with what it holds, and told to answer with errors.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createHttpServer } from '@vercel/cosmosdb-server';

/** An answer of the test's own, or an answer that never arrives although the request was carried out. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'answer lost';

export type CosmosdbRequest = {
  /** What it asks for, such as `read`, `query` or `create`. */
  readonly kind: string;
  readonly path: string;
  readonly authorization: string;
};

export type Cosmosdb = {
  readonly endpoint: string;
  /** Accepts the certificate the server was shipped with. */
  readonly agent: Agent;
  /** Asked before every request about documents; answers with what it returns instead, if anything. */
  faultFor: (request: CosmosdbRequest) => Fault | undefined;
  /** Requests about documents, in order. */
  readonly requests: CosmosdbRequest[];
  cutOff(): Promise<void>;
  putBack(): Promise<void>;
  stop(): Promise<void>;
};

export async function startCosmosdb(): Promise<Cosmosdb> {
  // It makes its account when it listens, and would make an empty one whenever it listens again.
  const account = createHttpServer({ keepAlive: true } as object);
  const front = createServer(certificate(), (request, response) => serve(request, response));
  await listen(front, 0);
  const address = front.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  account.address = () => address;
  account.emit('listening');
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });
  const peer: Cosmosdb = {
    endpoint: `https://127.0.0.1:${address.port}`,
    agent,
    faultFor: () => undefined,
    requests: [],
    cutOff: () => cutOff(front),
    putBack: () => listen(front, address.port),
    stop: async () => {
      await cutOff(front);
      agent.destroy();
    },
  };
  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { url: path = '' } = request;
    const authorization = decodeURIComponent(request.headers.authorization ?? '');
    const isData = path.includes('/docs');
    const seen = { kind: kindOf(request), path, authorization };
    if (isData) peer.requests.push(seen);
    const fault = isData ? peer.faultFor(seen) : undefined;
    if (fault === undefined) account.emit('request', request, response);
    else if (fault === 'answer lost') {
      response.end = () => response.destroy();
      account.emit('request', request, response);
    } else {
      request.resume();
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end('{"message":"a fault of the test"}');
    }
  }
  return peer;
}

function kindOf({ method = '', headers }: IncomingMessage): string {
  if (method !== 'POST') return kinds[method] ?? method;
  if (headers['x-ms-documentdb-isquery'] !== undefined) return 'query';
  if (headers['x-ms-cosmos-is-query-plan-request'] !== undefined) return 'query plan';
  return headers['x-ms-documentdb-is-upsert'] === undefined ? 'create' : 'upsert';
}

const kinds: { readonly [method: string]: string } = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
};

function certificate() {
  const directory = dirname(
    createRequire(import.meta.url).resolve('@vercel/cosmosdb-server/package.json'),
  );
  const read = (name: string) => readFileSync(join(directory, name));
  return { cert: read('cert.pem'), key: read('key.pem') };
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function cutOff(server: ReturnType<typeof createServer>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
