/**
 * Serves a function in streaming mode. The library listens on a loopback port of its own; the request
 * is forwarded there under the id of an invocation that runs beside it, and the answer comes back the
 * same way, piece by piece.
 *
 * S1  The library waits without end for the request of an invocation, so an invocation starts only
 *     together with its request, and the request is given up only after it has arrived there.
 * S2  When the function fails, nothing else would end the forwarded request: it is destroyed here.
 * S3  A client that goes away ends the transport, never the function.
 */

import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, request as forward, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { TypedData } from '../worker/typed-data.ts';
import { answerFailure, answerNothing, type Exchange, type ExchangeParts } from './exchange.ts';
import { refuseLargeBody } from './request-body.ts';
import { headersForFunction } from './trigger-request.ts';

const agent = new Agent({ keepAlive: true });
const invocationIdHeader = 'x-ms-invocation-id';

/** Settles when the function has ended. Never rejects. */
export async function serveStreaming(
  exchange: Exchange,
  parts: ExchangeParts,
  streamPort: number,
): Promise<void> {
  const invocationId = randomUUID();
  const upstream = openUpstream(exchange, invocationId, streamPort);
  upstream.once('response', (answer) => relay(answer, exchange, parts));
  exchange.response.once('close', () => {
    giveUpWhenArrived(upstream);
    // A function may answer without reading: what it left unread must not block the connection.
    exchange.request.unpipe(upstream).resume();
  });
  sendBody(exchange, parts, upstream);

  const failure = new Promise<never>((_resolve, reject) => upstream.once('error', reject));
  failure.catch(() => undefined);
  try {
    await Promise.race([arrived(upstream), failure]);
    const { result } = await parts.invoker.invoke(exchange.fn, {
      invocationId,
      inputData: [
        { name: exchange.fn.trigger.name, data: { http: {} } },
        ...parts.extraInputs(exchange.fn),
      ],
      triggerMetadata: metadataOf(exchange),
    });
    if (result !== null && result !== undefined) return;
    if (!exchange.response.headersSent) answerNothing(exchange, parts);
  } catch (thrown) {
    // Whoever has been answered (413) or is gone needs no second answer.
    if (!exchange.response.writableEnded && !exchange.response.destroyed) {
      answerFailure(exchange, parts, thrown);
    }
  }
  upstream.destroy();
}

function openUpstream({ request, url }: Exchange, invocationId: string, port: number) {
  const upstream = forward({
    host: '127.0.0.1',
    port,
    agent,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...bodyHeaders(request),
      [invocationIdHeader]: invocationId,
      'x-forwarded-host': url.host,
      'x-forwarded-proto': url.protocol.slice(0, -1),
    },
  });
  upstream.flushHeaders();
  return upstream;
}

// The function reads its headers from the trigger's metadata; the transport needs only the framing.
function bodyHeaders({ headers }: IncomingMessage): Record<string, string> {
  const length = headers['content-length'];
  if (length !== undefined) return { 'content-length': length };
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

function metadataOf({ request, values }: Exchange): Record<string, TypedData> {
  const named = Object.entries(values).map(([name, value]) => [name, { string: value }] as const);
  return {
    ...Object.fromEntries(named),
    Headers: { json: JSON.stringify(headersForFunction(request)) },
  };
}

function sendBody(exchange: Exchange, parts: ExchangeParts, upstream: ClientRequest): void {
  const { request, response, call } = exchange;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= parts.maxBodyBytes) return;
    request.unpipe(upstream);
    upstream.destroy();
    refuseLargeBody(request, response, parts.maxBodyBytes, call);
  });
  request.pipe(upstream);
}

// Connection matters only between neighbours; the date is ours to state.
const unrelayedHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'date',
  invocationIdHeader,
]);

function relay(answer: IncomingMessage, { response }: Exchange, parts: ExchangeParts): void {
  if (response.headersSent || response.destroyed) {
    answer.destroy();
    return;
  }
  const kept = Object.entries(answer.headers).filter(([name]) => !unrelayedHeaders.has(name));
  response.writeHead(answer.statusCode ?? 200, { ...parts.headers, ...Object.fromEntries(kept) });
  response.flushHeaders();
  pipeline(answer, response, () => undefined);
}

async function arrived(upstream: ClientRequest): Promise<void> {
  const socket = upstream.socket ?? (await socketOf(upstream));
  if (socket.connecting)
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
}

async function socketOf(upstream: ClientRequest): Promise<NonNullable<ClientRequest['socket']>> {
  return await new Promise((resolve) => upstream.once('socket', resolve));
}

function giveUpWhenArrived(upstream: ClientRequest): void {
  arrived(upstream).then(
    () => setImmediate(() => upstream.destroy()),
    () => upstream.destroy(),
  );
}
