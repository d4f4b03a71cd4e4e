/**
 * Sends requests and reads answers, over connections that are kept until `close`.
 *
 * E1  Redirects are not followed, proxies are not used, no more than the limit is read.
 * E2  Time is bounded by the signal alone, except for connecting.
 * E3  An aborted exchange leaves no connection behind.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Agent, buildConnector } from 'undici';
import { type EgressPolicy, guardedLookup, refusedAddress } from '../addressing/egress.ts';
import { type Body, readBody, unpack } from './read-body.ts';
import type { HeaderLines } from './request-headers.ts';
import { untilAborted } from './until-aborted.ts';

export type ConnectionOptions = {
  readonly skipCertificateCheck: boolean;
  readonly connectTimeoutMs: number;
  /** Absent: connections may go anywhere. */
  readonly allows?: EgressPolicy;
};

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
  let agent: Agent | undefined;
  const close = async () => {
    const open = agent;
    agent = undefined;
    await open?.destroy();
  };
  return {
    async send(request, limitBytes, signal) {
      signal.throwIfAborted();
      agent ??= createAgent(options);
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

function createAgent(options: ConnectionOptions): Agent {
  return new Agent({
    allowH2: false,
    // Commands of a step follow each other closely; a connection idle for longer may be half closed.
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createConnector(options),
  });
}

function createConnector(options: ConnectionOptions): buildConnector.connector {
  const { allows } = options;
  const settings = {
    allowH2: false,
    rejectUnauthorized: !options.skipCertificateCheck,
    timeout: options.connectTimeoutMs,
  };
  if (allows === undefined) return buildConnector(settings);
  return (wanted, done) => {
    const port = Number(wanted.port) || (wanted.protocol === 'https:' ? 443 : 80);
    const refused = refusedAddress(allows, wanted.hostname, port);
    if (refused !== undefined) done(refused, null);
    else buildConnector({ ...settings, lookup: guardedLookup(allows, port) })(wanted, done);
  };
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
