/**
 * The two doors to the durable engine's management API: one for the client library inside the app, on
 * a loopback listener of its own behind a secret path; one for tools on this machine, on the public
 * port behind a key. Both can start, end and erase any instance, so neither opens to the network.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { DurableHost, ManagementRequest } from '../durable/durable-host.ts';
import { isSameSecret } from './access-keys.ts';
import { answerError } from './error-answer.ts';
import { readBody, refuseLargeBody } from './request-body.ts';

export const webhookPath = '/runtime/webhooks/durabletask';

export function isWebhook(url: URL): boolean {
  return `${url.pathname}/`.startsWith(`${webhookPath}/`);
}

const maxBodyBytes = 16 * 1024 * 1024;

export type RpcListener = {
  /** Loopback base ending in `/`, with a secret of this start in its path. */
  readonly baseUrl: string;
  close(): void;
};

/** Listens on a free loopback port, in clear even when the public port speaks TLS. */
export async function openRpcListener(engine: () => DurableHost): Promise<RpcListener> {
  const prefix = `/${randomBytes(24).toString('base64url')}/durabletask/`;
  const server = createServer((request, response) => {
    const url = URL.parse(`http://127.0.0.1${request.url ?? ''}`);
    const path = url?.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : undefined;
    if (url === null || path === undefined || !isAddressedLocally(request)) {
      answerError(response, { status: 404, message: 'There is nothing here.' }, undefined);
      return;
    }
    void serveManagement(engine(), request, response, { path, query: url.searchParams });
  });
  const port = await listenOnLoopback(server);
  return {
    baseUrl: `http://127.0.0.1:${port}${prefix}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Serves `webhookPath` on the public port; strangers learn nothing about it. */
export async function serveWebhook(
  durable: { readonly engine: DurableHost; readonly webhookCode: string } | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const isLocal = isLoopback(request.socket.remoteAddress) && isAddressedLocally(request);
  if (!isLocal || durable === undefined) {
    answerError(response, { status: 404, message: 'There is nothing here.' }, undefined);
    return;
  }
  if (!isSameSecret(url.searchParams.get('code') ?? '', durable.webhookCode)) {
    answerError(response, { status: 401, message: 'The key is not accepted.' }, undefined);
    return;
  }
  const path = url.pathname.slice(webhookPath.length + 1);
  await serveManagement(durable.engine, request, response, { path, query: url.searchParams });
}

async function serveManagement(
  engine: DurableHost,
  request: IncomingMessage,
  response: ServerResponse,
  target: { readonly path: string; readonly query: URLSearchParams },
): Promise<void> {
  try {
    const body = await readBody(request, maxBodyBytes);
    if (body === undefined) {
      refuseLargeBody(request, response, maxBodyBytes, undefined);
      return;
    }
    const answer = await engine.manage(toManagementRequest(request, target, body));
    const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
    const type = text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(answer.status, {
      ...type,
      'content-length': Buffer.byteLength(text),
      ...answer.headers,
    });
    response.end(text);
  } catch {
    // The engine logs its own failures; the caller gone needs no answer.
    answerError(response, { status: 500, message: 'The durable engine failed.' }, undefined);
  }
}

function toManagementRequest(
  request: IncomingMessage,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  body: Buffer,
): ManagementRequest {
  return {
    method: request.method ?? 'GET',
    path,
    query,
    contentType: request.headers['content-type'],
    continuationToken: headerText(request, 'x-ms-continuation-token'),
    body: body.toString('utf8'),
  };
}

function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
}

// A page of another site can make a browser on this machine call us under that site's name (DNS
// rebinding); the peer is then local but the name is not.
function isAddressedLocally({ headers }: IncomingMessage): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  return address.port;
}
