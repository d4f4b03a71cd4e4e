/**
 * Sends requests and reads answers, over connections that are kept until `close`.
 *
 * E1  Redirects are not followed, proxies are not used, no more than the limit is read.
 * E2  Time is bounded by the signal alone, except for connecting.
 * E3  An aborted exchange leaves no connection behind.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { type ConnectionOptions, type Connector, createConnector } from './connector.ts';
import { type Body, readBody, unpack } from './read-body.ts';
import type { HeaderLines } from './request-headers.ts';
import { untilAborted } from './until-aborted.ts';

export type HttpRequest = {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderLines;
  readonly body?: Buffer;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
};

export interface HttpExchange {
  /**
   * Reads at most `limitBytes` of the answer. Rejects with the error of the network, or with the
   * signal's reason.
   */
  send(request: HttpRequest, limitBytes: number, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export function createHttpExchange(options: ConnectionOptions): HttpExchange {
  const connector = createConnector(options);
  let agent: Agent | undefined;
  const close = async () => {
    const open = agent;
    agent = undefined;
    connector.giveUp();
    await open?.destroy();
  };
  return {
    async send(request, limitBytes, signal) {
      signal.throwIfAborted();
      agent ??= createAgent(connector);
      try {
        return await untilAborted(exchange(agent, request, limitBytes, signal), signal);
      } catch (error) {
        // A connection still being made does not listen to the signal.
        if (signal.aborted) await close();
        throw error;
      }
    },
    close,
  };
}

function createAgent({ connect }: Connector): Agent {
  return new Agent({
    allowH2: false,
    // One per target is enough for commands that follow each other; a second one would never be reused.
    connections: 1,
    // A connection idle for longer may be half closed.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
  });
}

async function exchange(
  agent: Agent,
  request: HttpRequest,
  limitBytes: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { url, method, headers, body } = request;
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: headers.flat(),
    body: body ?? null,
    signal,
  });
  // Whoever reads the body hears of its errors; without a listener they would end the process.
  answer.body.on('error', () => {});
  const { statusCode: status, headers: answered } = answer;
  const coding = [answered['content-encoding'] ?? ''].flat().join();
  if (isSuccess(status)) {
    const received = await readBody(answer.body, limitBytes, 'fails');
    return { status, headers: answered, body: await unpack(received, coding, limitBytes) };
  }
  // What can be read of a refusal is enough: the status already tells that the request failed.
  const received = await readBody(answer.body, REFUSAL_BYTES, 'will-do');
  const shown = await unpack(received, coding, REFUSAL_BYTES).catch(() => nothing);
  return { status, headers: answered, body: shown };
}

const REFUSAL_BYTES = 64 * 1_024;
const nothing: Body = { bytes: Buffer.alloc(0), whole: false };

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
