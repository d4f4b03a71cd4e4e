/**
 * One HTTP connection to a WinRM listener. NTLM logs in connections, not requests, so the caller can tell
 * which connection carried an answer.
 */

import { TLSSocket } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { type EgressPolicy, guardedLookup, refusedAddress } from '../../addressing/egress.ts';
import { networkReason } from '../network-reason.ts';
import { WinRmFailure } from '../winrm-failure.ts';

export type HttpExchangeOptions = {
  readonly url: URL;
  readonly skipCertificateCheck: boolean;
  /** Longest wait for one whole answer. */
  readonly requestTimeoutMs: number;
  /** Decides on every connection by the address a name resolved to; absent, all are allowed. */
  readonly allows?: EgressPolicy;
};

export type HttpAnswer = {
  readonly status: number;
  readonly contentType: string;
  /** The WWW-Authenticate values, joined by commas. */
  readonly challenges: string;
  readonly body: Buffer;
};

export interface HttpExchange {
  /** Throws WinRmFailure, or the signal's reason once that is aborted. */
  post(headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<HttpAnswer>;
  /** Counts the connections made so far: the same number means the same connection. */
  connection(): number;
  /** The certificate of the current connection's other end, DER; undefined over plain HTTP. */
  peerCertificate(): Buffer | undefined;
  close(): Promise<void>;
}

/** Answers are asked for in pieces of 150 KB; whoever sends this much is not a WinRM listener. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const IDLE_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

export function createHttpExchange(options: HttpExchangeOptions): HttpExchange {
  const { url, requestTimeoutMs, allows } = options;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const connect = buildConnector({
    ...(allows === undefined ? {} : { lookup: guardedLookup(allows, port) }),
    allowH2: false,
    rejectUnauthorized: !options.skipCertificateCheck,
    timeout: Math.min(requestTimeoutMs, CONNECT_TIMEOUT_MS),
  });
  let connections = 0;
  let certificate: Buffer | undefined;
  const client = new Client(url.origin, {
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (wanted, callback) => {
      const refused = allows && refusedAddress(allows, host, port);
      if (refused !== undefined) return callback(refused, null);
      connect(wanted, (...outcome) => {
        const [, socket] = outcome;
        if (socket) connections += 1;
        certificate = socket instanceof TLSSocket ? socket.getPeerCertificate().raw : undefined;
        callback(...outcome);
      });
    },
  });
  return {
    async post(headers, body, signal) {
      const patience = AbortSignal.timeout(requestTimeoutMs);
      try {
        const answer = await client.request({
          method: 'POST',
          path: url.pathname,
          headers,
          body,
          signal: AbortSignal.any([signal, patience]),
        });
        return {
          status: answer.statusCode,
          contentType: String(answer.headers['content-type'] ?? ''),
          challenges: [answer.headers['www-authenticate'] ?? ''].flat().join(', '),
          body: await readAll(answer.body),
        };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof WinRmFailure) throw error;
        const waited = `no answer within ${requestTimeoutMs / 1_000} s`;
        throw failure(url, connections === 0, patience.aborted ? waited : networkReason(error));
      }
    },
    connection: () => connections,
    peerCertificate: () => certificate,
    close: () => client.destroy(),
  };
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new WinRmFailure('garbage', 'The answer is far too long for WinRM.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failure(url: URL, neverConnected: boolean, why: string): WinRmFailure {
  return neverConnected
    ? new WinRmFailure('no-connection', `Cannot connect to ${url.host}: ${why}.`)
    : new WinRmFailure('connection-lost', `Lost the connection to ${url.host}: ${why}.`);
}
